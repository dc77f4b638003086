/// A shell that can complete command lines of this program.
enum Shell: String, ChoiceArgument {
  case bash, zsh, fish

  var showsHelp: Bool { self != .bash }

  /// The script that the shell loads once. It asks the program being called, wherever it is.
  var script: String {
    switch self {
    case .bash:
      #"""
      # Completion of stories for bash: save it as
      # ~/.local/share/bash-completion/completions/stories, or read it with `source`.
      _stories() {
        local words=("${COMP_WORDS[@]:1:COMP_CWORD}") word
        COMPREPLY=()
        # bash splits words at "=" and ":", and completes only the last part.
        [ "${words[${#words[@]} - 1]}" = "=" ] && words+=("")
        while IFS= read -r word; do
          case "$word" in
            */ | *=) compopt -o nospace 2>/dev/null; COMPREPLY+=("$(printf %q "$word")") ;;
            *) COMPREPLY+=("$(printf %q "$word")") ;;
          esac
        done < <("${COMP_WORDS[0]}" completions bash -- "${words[@]}" 2>/dev/null)
      }
      complete -F _stories stories

      """#
    case .zsh:
      #"""
      #compdef stories
      # Completion of stories for zsh: save it as _stories in a folder of $fpath.
      _stories() {
        local -a found spaced open
        local line word help
        found=("${(@f)$("${words[1]}" completions zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
        for line in $found; do
          [[ -n $line ]] || continue
          word=${line%%$'\t'*}
          help=${line#*$'\t'}
          [[ $help == $line ]] && help=
          if [[ $word == (*/|*=) ]]; then
            open+=("${word//:/\\:}:$help")
          else
            spaced+=("${word//:/\\:}:$help")
          fi
        done
        (( $#spaced )) && _describe -t words stories spaced
        (( $#open )) && _describe -t words stories open -S ''
      }
      _stories "$@"

      """#
    case .fish:
      #"""
      # Completion of stories for fish: save it as ~/.config/fish/completions/stories.fish.
      function __stories_complete
          set -l words (commandline -opc) (commandline -ct)
          $words[1] completions fish -- $words[2..-1] 2>/dev/null
      end
      complete -c stories -f -a '(__stories_complete)'

      """#
    }
  }
}
