extension StyleSheet {
  /// The style of the pages of changes, conflicts and sync, after that of all pages.
  public static let work = """
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; user-select: none;
    }
    .work {
      --new: #1d5e2b; --new-back: #def3e0; --old: #97261c; --old-back: #fbe3df;
    }
    @media (prefers-color-scheme: dark) {
      .work { --new: #a4e6b1; --new-back: #173a23; --old: #ffb9ae; --old-back: #4a1d1b; }
    }
    .work h3 { font-size: 1.1rem; margin: 0; }
    .work p { margin: 0.3rem 0; }
    .work .lead { margin: 0.3rem 0 1.2rem; }
    .work .about a { display: inline-block; padding: 0.7rem 0; }
    .records :is(h2, h3) a { display: inline-block; min-width: 2.8rem; padding: 0.7rem 0; }
    .work code, .work pre { font-family: ui-monospace, "Liberation Mono", Menlo, monospace; font-size: 0.9em; }
    .lead { font-size: 1.1rem; }
    .soft { color: var(--soft); }
    .work ins { color: var(--new); background: var(--new-back); text-decoration: none; border-radius: 0.2em; }
    .work del { color: var(--old); background: var(--old-back); border-radius: 0.2em; }

    .work del + ins { margin-left: 0.2em; }

    .records { display: grid; gap: 0.7rem; }
    .soft + .records { margin-top: 0.7rem; }
    .records > li, .work .card, .field {
      padding: 0.4rem 1rem 0.8rem; background: var(--card); border: 1px solid var(--line);
      border-radius: 1.1rem; min-width: 0;
    }
    .records h2 { font-size: 1.2rem; margin: 0; }
    .work dl { display: grid; grid-template-columns: minmax(4rem, auto) 1fr; gap: 0.3rem 1rem; margin: 0.6rem 0 0; }
    .work dt { font-weight: 600; }
    .work dd { margin: 0; min-width: 0; }
    .work dd p { margin: 0 0 0.2rem; }
    .notice {
      margin: 0.8rem 0; padding: 0.5rem 1rem; border-left: 0.3rem solid var(--accent);
      background: var(--card);
    }
    .notice.error { border-color: var(--old); }
    .notice.good { border-color: var(--new); }
    .notice pre, .report {
      white-space: pre-wrap; padding: 0.8rem 1rem; margin: 0.6rem 0; background: var(--card);
      border: 1px solid var(--line); border-radius: 0.7rem;
    }
    .report.error { border-color: var(--old); }

    .field { margin: 1.4rem 0; }
    .field legend { font: 700 1.2rem/1.2 var(--serif); padding: 0 0.4rem; }
    .heads { display: none; }
    .side .name { color: var(--soft); font-size: 0.9rem; }
    .pair { margin: 0.5rem 0; padding-left: 0.6rem; border-left: 0.25rem solid var(--line); }
    .pair.clash { border-color: var(--old); }
    .work summary { color: var(--accent); cursor: pointer; padding: 0.6rem 0; }
    .base { white-space: pre-wrap; padding: 0.3rem 0; }
    .choices { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; margin: 0.8rem 0 0; }
    .choices label {
      display: inline-flex; align-items: center; gap: 0.5rem; padding: 0.55rem 0.9rem;
      border: 1px solid var(--line); border-radius: 2rem; cursor: pointer;
    }
    .choices label:has(:checked) { border-color: var(--accent); }
    .choices input { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; margin: 0; }
    .edit { margin: 0.8rem 0 0; }
    .choices:not(:has([value="edit"]:checked)) + .edit:not(.typed) { display: none; }
    .edit label { display: block; }
    textarea {
      width: 100%; padding: 0.6rem 0.8rem; font: inherit; color: var(--ink);
      background: var(--paper); border: 1px solid var(--soft); border-radius: 0.7rem;
    }
    .work .do { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1.2rem 0; }
    .work .do button, .work .do a {
      font: inherit; padding: 0.55rem 1.3rem; border-radius: 2rem; cursor: pointer;
      border: 1px solid var(--accent); background: var(--accent); color: var(--paper);
      text-decoration: none;
    }
    .work .do .plain { background: none; color: var(--accent); }
    progress { width: 100%; height: 1.2rem; accent-color: var(--accent); }

    @media (min-width: 44rem) {
      .heads, .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1.6rem; }
      .heads { font-weight: 600; padding-left: 0.85rem; }
      .side { min-width: 0; }
      .side .name {
        position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      }
    }
    @media (max-width: 30rem) {
      .work dl { grid-template-columns: 1fr; gap: 0.1rem; }
      .work dd { margin: 0 0 0.5rem; }
    }

    """
}
