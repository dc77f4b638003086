/// The style of all pages: light and dark, on phones, large screens and paper.
///
/// No font and no picture is fetched. Colors have a contrast of at least 4.5 to 1, and what can be
/// pressed is at least 44 pixels wide and high.
public enum StyleSheet {
  /// The style of pages.
  public static let pages = """
    :root {
      color-scheme: light dark;
      --paper: #fbf7ef; --ink: #2a2438; --soft: #5f576e; --line: #e5dcc9; --card: #fffdf8;
      --accent: #56399b; --star: #8a5200;
      --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Source Serif 4",
        Georgia, "Liberation Serif", serif;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14152a; --ink: #ebe5d6; --soft: #b5afc6; --line: #30325a; --card: #1c1e3a;
        --accent: #cbb9ff; --star: #f3c668;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      font: 1.0625rem/1.5 var(--sans); overflow-wrap: anywhere;
    }
    main { max-width: 64rem; margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 2.5rem) 2rem; }
    main:focus { outline: none; }
    h1, h2 { font-family: var(--serif); line-height: 1.15; text-wrap: balance; }
    h1 { font-size: clamp(2rem, 1.5rem + 2.4vw, 3.2rem); margin: 0.5rem 0 1rem; }
    h2 { font-size: 1.6rem; margin: 2.5rem 0 0.9rem; }
    a { color: var(--accent); text-underline-offset: 0.18em; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 0.4rem; }
    ul { list-style: none; margin: 0; padding: 0; }
    img { max-width: 100%; }
    .skip { position: absolute; left: -100rem; }
    .skip:focus {
      left: 1rem; top: 0.6rem; padding: 0.5rem 1rem; background: var(--card); z-index: 2;
    }

    .top {
      --side: clamp(1rem, 4vw, 2.5rem);
      display: flex; flex-wrap: wrap; gap: 0 1.2rem; align-items: baseline;
      padding: 0.4rem max(var(--side), 50% - 32rem + var(--side)); border-bottom: 1px solid var(--line);
    }
    .top a { text-decoration: none; padding: 0.6rem 0; display: inline-block; }
    .top a:hover, .row:hover .title, .hero:hover .title { text-decoration: underline; }
    .brand {
      font-family: var(--serif); font-size: 1.25rem; font-weight: 700; color: var(--ink);
      max-width: 100%; max-height: 4em; overflow: hidden;
    }
    .top nav { display: flex; flex-wrap: wrap; margin: 0 -0.5rem; }
    .top nav a { padding: 0.6rem 0.5rem; }
    .top [aria-current] {
      color: var(--ink); text-decoration: underline 2px var(--star); text-underline-offset: 0.4em;
    }
    .home .brand { display: none; }
    .foot { text-align: center; color: var(--soft); padding: 1rem 1rem 2.5rem; }

    .sky {
      margin: 0.5rem 0 0; padding: clamp(6rem, 11vw, 8rem) clamp(1.4rem, 6vw, 4rem) 2.2rem;
      border-radius: 1.4rem; color: #fff6df; background-color: #2b2763; background-image:
        radial-gradient(circle at 84% 22%, #fbe6ae 0 1.9rem, transparent 1.98rem),
        radial-gradient(circle at 84% 22%, #fbe6ae55 0 2.5rem, transparent 5rem),
        radial-gradient(circle at 12% 24%, #fff 0 1.6px, transparent 2px),
        radial-gradient(circle at 27% 12%, #fff 0 1.1px, transparent 1.6px),
        radial-gradient(circle at 41% 30%, #ffe9b8 0 1.8px, transparent 2.3px),
        radial-gradient(circle at 55% 14%, #fff 0 1.2px, transparent 1.7px),
        radial-gradient(circle at 66% 38%, #fff 0 1.5px, transparent 2px),
        radial-gradient(circle at 72% 10%, #ffe9b8 0 1.2px, transparent 1.7px),
        radial-gradient(circle at 93% 52%, #fff 0 1.4px, transparent 1.9px),
        radial-gradient(circle at 6% 58%, #fff 0 1.2px, transparent 1.7px),
        linear-gradient(165deg, #171a45, #34296f 55%, #6b3f80);
    }
    .sky h1 { margin: 0; max-width: 16em; font-size: clamp(2.2rem, 1.4rem + 4vw, 4rem); }
    .sky p { margin: 0.6rem 0 0; font-size: 1.1rem; }

    .tile {
      display: inline-flex; flex: none; width: 3.5rem; height: 3.5rem; border-radius: 1rem;
      object-fit: cover; align-items: center; justify-content: center; overflow: hidden;
      font: 700 1.5rem/1 var(--serif); color: #fff;
    }
    .tint0 { background: #5a3f9e; } .tint1 { background: #1f6a6a; } .tint2 { background: #97462f; }
    .tint3 { background: #2d5a9a; } .tint4 { background: #7a5010; } .tint5 { background: #8f3565; }
    .title { font-family: var(--serif); font-weight: 700; font-size: 1.15rem; color: var(--ink); }
    .about { color: var(--soft); font-size: 0.95rem; }
    .about > *, .facts > * { display: inline-block; max-width: 100%; }
    .about > :not(:last-child)::after, .facts > :not(:last-child)::after {
      content: "·"; margin: 0 0.45em; color: var(--soft);
    }
    .star { color: var(--star); font-size: 1.2rem; }
    .facts .star { font-size: 1em; }

    .heroes {
      display: grid; gap: 1.2rem 0.8rem; grid-template-columns: repeat(auto-fill, minmax(5.6rem, 1fr));
    }
    .hero {
      display: flex; flex-direction: column; gap: 0.5rem; align-items: center; text-align: center;
      text-decoration: none;
    }
    .hero .tile { width: 5.2rem; height: 5.2rem; border-radius: 50%; font-size: 2.3rem; }
    .hero .title { font-size: 1.05rem; max-width: 100%; }

    .rows { display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
    .row {
      display: flex; gap: 0.9rem; align-items: center; height: 100%; padding: 0.75rem 0.9rem;
      background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem;
      text-decoration: none;
    }
    .row .words { display: flex; flex-direction: column; gap: 0.1rem; flex: 1; min-width: 0; }
    .jumps { display: flex; flex-wrap: wrap; gap: 0.3rem 0.4rem; margin: 0 0 1.4rem; }
    .jumps a {
      min-width: 2.8rem; padding: 0.6rem; text-align: center; text-decoration: none;
      border: 1px solid var(--line); border-radius: 0.7rem; background: var(--card);
    }

    .portrait main { padding-top: clamp(1rem, 4vw, 2.5rem); }
    .card { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; align-items: center; }
    .card > div { flex: 1 1 16rem; min-width: 0; }
    .card .tile {
      width: clamp(8rem, 30vw, 14rem); height: clamp(8rem, 30vw, 14rem); border-radius: 1.8rem;
      font-size: 5rem;
    }
    .card h1 { margin: 0; }
    .age { color: var(--soft); margin: 0.3rem 0 0.8rem; font-size: 1.1rem; }
    .traits { display: flex; flex-wrap: wrap; gap: 0.45rem; }
    .traits li {
      padding: 0.2rem 0.8rem; border: 1px solid var(--line); border-radius: 2rem;
      background: var(--card); max-width: 100%;
    }
    .ability { font: italic 1.25rem/1.4 var(--serif); margin: 0.9rem 0 0; }

    .reader main, .paper main { max-width: 43rem; }
    .opening { text-align: center; margin: clamp(0.5rem, 4vw, 2.5rem) 0 2.2rem; }
    .opening h1 { margin: 0.7rem 0; }
    .byline {
      display: inline-flex; gap: 0.6rem; align-items: center; text-decoration: none;
      font-size: 1.1rem; max-width: 100%;
    }
    .byline .tile { width: 2.8rem; height: 2.8rem; border-radius: 50%; font-size: 1.1rem; }
    .byline:hover span:last-child { text-decoration: underline; }
    .facts { color: var(--soft); margin: 0; }
    audio { width: 100%; margin: 1.4rem 0 0; }
    .text {
      font: clamp(1.3rem, 1.14rem + 0.75vw, 1.6rem)/1.65 var(--serif); hyphens: auto;
      hanging-punctuation: first;
    }
    .text p { margin: 0 0 0.95em; }
    .text figure { margin: 1.5em 0; text-align: center; }
    .text figure img { border-radius: 1.1rem; max-height: 80vh; }
    .actions { display: flex; flex-wrap: wrap; gap: 0.8rem; justify-content: center; }
    .actions p { flex-basis: 100%; margin: 0; text-align: center; color: var(--soft); }
    button {
      font: inherit; padding: 0.6rem 1.3rem; border: 1px solid var(--accent); border-radius: 2rem;
      background: var(--card); color: var(--accent); cursor: pointer;
    }
    button:hover { background: var(--accent); color: var(--card); }
    button:hover .star { color: inherit; }
    .parts { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; justify-content: center; margin: 2rem 0 0; }
    .parts > *, .more a, .hits .title { display: inline-block; padding: 0.6rem 0; }
    .search form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; }
    .search label { display: flex; flex-direction: column; gap: 0.2rem; flex: 1 1 14rem; }
    .search input {
      font: inherit; padding: 0.6rem 0.8rem; border: 1px solid var(--soft); border-radius: 0.7rem;
      background: var(--card); color: var(--ink); width: 100%;
    }
    .hits > li { padding: 0.4rem 0 0.9rem; border-bottom: 1px solid var(--line); }
    .hits p { margin: 0.2rem 0 0; }
    mark { background: #f6e3b0; color: #2a2438; border-radius: 0.2rem; }
    .message main { max-width: 43rem; }
    .end { text-align: center; color: var(--star); font-size: 2rem; margin: 2rem 0; }
    .on {
      display: grid; gap: 0.8rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
      margin: 2rem 0 0;
    }
    .on a {
      display: flex; flex-direction: column; padding: 0.9rem 1.1rem; text-decoration: none;
      background: var(--card); border: 1px solid var(--line); border-radius: 1.1rem;
    }
    .on .next { text-align: right; }
    .on a:hover .title { text-decoration: underline; }

    .paper article { margin: 4rem 0; }
    .screen { text-align: center; padding: 0.4rem 1rem; margin: 0; }
    .screen a { display: inline-block; padding: 0.6rem 0; }
    .cover { text-align: center; padding: 20vh 0 10vh; font-family: var(--serif); }
    .cover p { margin: 0.3rem 0; font-size: 1.15rem; }
    .cover .moon { font-size: 4rem; color: var(--star); margin: 0; }

    @media (max-width: 30rem) {
      .top nav { margin: 0 -0.35rem; }
      .top nav a { font-size: 0.94rem; padding: 0.7rem 0.35rem; }
    }
    @media print {
      :root { --paper: #fff; --ink: #000; --soft: #333; --line: #999; --card: #fff; --star: #000; }
      body { font-size: 11pt; }
      .top, .foot, .skip, .screen, .on, .jumps, .parts, .actions, audio, .end { display: none; }
      main, .reader main, .paper main { max-width: none; padding: 0; }
      .sky { background: none; color: #000; padding: 0; }
      .text { font-size: 13pt; line-height: 1.5; }
      .text p { orphans: 3; widows: 3; }
      .text figure { break-inside: avoid; }
      .text figure img { max-height: 14cm; border-radius: 0; }
      .opening { text-align: left; }
      .paper article { break-before: page; margin: 0; }
      .paper h2 { font-size: 22pt; margin: 3cm 0 1cm; text-align: center; break-after: avoid; }
      .cover { padding: 7cm 0 0; }
      .cover h1 { font-size: 34pt; }
      @page { margin: 2.2cm 2.4cm; }
    }

    """

  /// The style of books, which leaves fonts and their sizes to the reader.
  static let books = """
    h1 { text-align: center; margin: 2em 0 1.5em; line-height: 1.2; }
    p { margin: 0 0 0.8em; }
    figure { margin: 1.2em 0; text-align: center; break-inside: avoid; }
    img { max-width: 100%; max-height: 95vh; }
    .cover { text-align: center; margin: 0; }
    .cover h1 { margin: 1em 0 0; }
    ol { list-style: none; padding: 0; }
    .spoken { background: #f6e3b0; color: #2a2438; }

    """
}
