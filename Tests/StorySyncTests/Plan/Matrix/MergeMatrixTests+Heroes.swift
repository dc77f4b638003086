extension MergeMatrixTests {
  /// Heroes: the server wins a field that both sides changed, and a changed hero comes back.
  static let heroes = """
    here         | there     | policy           | way       | file  | sidecar     | server | sent   | exit

    unchanged    | unchanged | any              | all       | b/b   | b/b         | b/b    | –      | 0
    unchanged    | same      | any              | sync pull | s/b   | s/b         | s/b    | –      | 0
    unchanged    | same      | any              | push      | b/b   | b/b         | s/b    | –      | 0
    unchanged    | other     | any              | sync pull | b/s   | b/s         | b/s    | –      | 0
    unchanged    | other     | any              | push      | b/b   | b/b         | b/s    | –      | 0
    unchanged    | alike     | any              | sync pull | l/b   | l/b         | l/b    | –      | 0
    unchanged    | alike     | any              | push      | b/b   | b/b         | l/b    | –      | 0
    unchanged    | deleted   | any              | sync pull | –     | –           | –      | –      | 0
    unchanged    | deleted   | any              | push      | b/b   | b/b         | –      | –      | 0
    unchanged    | not yet   | any              | sync push | b/b   | b/b         | b/b    | POST   | 0
    unchanged    | not yet   | any              | pull      | b/b   | –           | –      | –      | 0

    same         | unchanged | any              | sync push | l/b   | l/b         | l/b    | PATCH  | 0
    same         | unchanged | any              | pull      | l/b   | b/b         | b/b    | –      | 0
    same         | same      | own server older | all       | s/b   | s/b         | s/b    | –      | 0
    same         | same      | local newer      | sync push | l/b   | l/b         | l/b    | PATCH  | 0
    same         | same      | local newer      | pull      | l/b   | s/b         | s/b    | –      | 0
    same         | same      | merge ask        | all       | l/b   | s/b same?   | s/b    | –      | 3
    same         | other     | any              | sync push | l/s   | l/s         | l/s    | PATCH  | 0
    same         | other     | any              | pull      | l/s   | b/s         | b/s    | –      | 0
    same         | alike     | any              | all       | l/b   | l/b         | l/b    | –      | 0
    same         | deleted   | any              | all       | l/b   | b/b gone?   | –      | –      | 3
    same         | not yet   | any              | sync push | l/b   | l/b         | l/b    | POST   | 0
    same         | not yet   | any              | pull      | l/b   | –           | –      | –      | 0

    other        | unchanged | any              | sync push | b/l   | b/l         | b/l    | PATCH  | 0
    other        | unchanged | any              | pull      | b/l   | b/b         | b/b    | –      | 0
    other        | same      | any              | sync push | s/l   | s/l         | s/l    | PATCH  | 0
    other        | same      | any              | pull      | s/l   | s/b         | s/b    | –      | 0
    other        | other     | own server older | all       | b/s   | b/s         | b/s    | –      | 0
    other        | other     | local newer      | sync push | b/l   | b/l         | b/l    | PATCH  | 0
    other        | other     | local newer      | pull      | b/l   | b/s         | b/s    | –      | 0
    other        | other     | merge ask        | all       | b/l   | b/s other?  | b/s    | –      | 3
    other        | alike     | any              | sync push | l/l   | l/l         | l/l    | PATCH  | 0
    other        | alike     | any              | pull      | l/l   | l/b         | l/b    | –      | 0
    other        | deleted   | any              | all       | b/l   | b/b gone?   | –      | –      | 3
    other        | not yet   | any              | sync push | b/l   | b/l         | b/l    | POST   | 0
    other        | not yet   | any              | pull      | b/l   | –           | –      | –      | 0

    rm           | unchanged | any              | sync push | –     | –           | –      | DELETE | 0
    rm           | unchanged | any              | pull      | –     | b/b rm      | b/b    | –      | 0
    rm           | same      | any              | sync push | –     | –           | –      | DELETE | 0
    rm           | same      | any              | pull      | –     | b/b rm      | s/b    | –      | 0
    rm           | other     | any              | sync push | –     | –           | –      | DELETE | 0
    rm           | other     | any              | pull      | –     | b/b rm      | b/s    | –      | 0
    rm           | alike     | any              | sync push | –     | –           | –      | DELETE | 0
    rm           | alike     | any              | pull      | –     | b/b rm      | l/b    | –      | 0
    rm           | deleted   | any              | all       | –     | –           | –      | –      | 0
    rm           | not yet   | any              | all       | –     | –           | –      | –      | 0

    deleted      | unchanged | any              | sync push | –     | –           | –      | DELETE | 0
    deleted      | unchanged | any              | pull      | –     | b/b         | b/b    | –      | 0
    deleted      | same      | own server       | all       | s/b   | s/b         | s/b    | –      | 0
    deleted      | same      | local            | sync push | –     | –           | –      | DELETE | 0
    deleted      | same      | local            | pull      | –     | b/b         | s/b    | –      | 0
    deleted      | same      | others           | all       | –     | s/b back?   | s/b    | –      | 3
    deleted      | other     | own server       | all       | b/s   | b/s         | b/s    | –      | 0
    deleted      | other     | local            | sync push | –     | –           | –      | DELETE | 0
    deleted      | other     | local            | pull      | –     | b/b         | b/s    | –      | 0
    deleted      | other     | others           | all       | –     | b/s back?   | b/s    | –      | 3
    deleted      | alike     | own server       | all       | l/b   | l/b         | l/b    | –      | 0
    deleted      | alike     | local            | sync push | –     | –           | –      | DELETE | 0
    deleted      | alike     | local            | pull      | –     | b/b         | l/b    | –      | 0
    deleted      | alike     | others           | all       | –     | l/b back?   | l/b    | –      | 3
    deleted      | deleted   | any              | all       | –     | –           | –      | –      | 0
    deleted      | not yet   | any              | all       | –     | –           | –      | –      | 0

    renamed      | unchanged | any              | all       | y b/b | y b/b       | b/b    | –      | 0
    renamed      | same      | any              | sync pull | y s/b | y s/b       | s/b    | –      | 0
    renamed      | same      | any              | push      | y b/b | y b/b       | s/b    | –      | 0
    renamed      | other     | any              | sync pull | y b/s | y b/s       | b/s    | –      | 0
    renamed      | other     | any              | push      | y b/b | y b/b       | b/s    | –      | 0
    renamed      | alike     | any              | sync pull | y l/b | y l/b       | l/b    | –      | 0
    renamed      | alike     | any              | push      | y b/b | y b/b       | l/b    | –      | 0
    renamed      | deleted   | any              | sync pull | –     | –           | –      | –      | 0
    renamed      | deleted   | any              | push      | y b/b | b/b         | –      | –      | 0
    renamed      | not yet   | any              | sync push | y b/b | y b/b       | b/b    | POST   | 0
    renamed      | not yet   | any              | pull      | y b/b | –           | –      | –      | 0

    renamed same | unchanged | any              | sync push | y l/b | y l/b       | l/b    | PATCH  | 0
    renamed same | unchanged | any              | pull      | y l/b | y b/b       | b/b    | –      | 0
    renamed same | same      | own server older | all       | y s/b | y s/b       | s/b    | –      | 0
    renamed same | same      | local newer      | sync push | y l/b | y l/b       | l/b    | PATCH  | 0
    renamed same | same      | local newer      | pull      | y l/b | y s/b       | s/b    | –      | 0
    renamed same | same      | merge ask        | all       | y l/b | y s/b same? | s/b    | –      | 3
    renamed same | other     | any              | sync push | y l/s | y l/s       | l/s    | PATCH  | 0
    renamed same | other     | any              | pull      | y l/s | y b/s       | b/s    | –      | 0
    renamed same | alike     | any              | all       | y l/b | y l/b       | l/b    | –      | 0
    renamed same | deleted   | any              | all       | y l/b | y b/b gone? | –      | –      | 3
    renamed same | not yet   | any              | sync push | y l/b | y l/b       | l/b    | POST   | 0
    renamed same | not yet   | any              | pull      | y l/b | –           | –      | –      | 0

    absent       | unchanged | any              | sync pull | b/b   | b/b         | b/b    | –      | 0
    absent       | unchanged | any              | push      | –     | –           | b/b    | –      | 0
    absent       | same      | any              | sync pull | s/b   | s/b         | s/b    | –      | 0
    absent       | same      | any              | push      | –     | –           | s/b    | –      | 0
    absent       | other     | any              | sync pull | b/s   | b/s         | b/s    | –      | 0
    absent       | other     | any              | push      | –     | –           | b/s    | –      | 0
    absent       | alike     | any              | sync pull | l/b   | l/b         | l/b    | –      | 0
    absent       | alike     | any              | push      | –     | –           | l/b    | –      | 0
    absent       | deleted   | any              | all       | –     | –           | –      | –      | 0
    absent       | not yet   | any              | all       | –     | –           | –      | –      | 0
    """
}
