/// Colours and type of the plot, for light and dark.
///
/// Renditions are steps of one hue, as they are steps of one scale; what keeps a person waiting is warm,
/// and nothing else is.
enum PlotStyle {
  static let patterns = """
    <defs>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect class="hatch" width="2" height="5"/></pattern>
    </defs>
    """

  static let css = """
    svg { --paper: #ffffff; --ink: #16202b; --soft: #5b6876; --faint: #e4e8ee; --lane: #f6f8fa;
      --r0: #b9d6f2; --r1: #7db1e3; --r2: #3b82c4; --r3: #17538f; --on0: #16202b; --on3: #ffffff;
      --stall: #d7263d; --wait: #f0a202; --pause: #a7b0ba; --link: #cfd6de; --used: #5f7487;
      --buffer: #2f9e77; --ready: #9fd8c2; --loading: #d9dee4; }
    @media (prefers-color-scheme: dark) {
      svg { --paper: #11161c; --ink: #e8edf2; --soft: #9aa7b4; --faint: #2a333d; --lane: #171e26;
        --r0: #23405c; --r1: #2f6598; --r2: #4d97d6; --r3: #a5d2fa; --on0: #e8edf2; --on3: #10202f;
        --stall: #ff5a6b; --wait: #ffbe3d; --pause: #5d6873; --link: #323d48; --used: #8ba3b8;
        --buffer: #3fbf92; --ready: #1f5c48; --loading: #333d47; }
    }
    svg { background: var(--paper); font: 11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif;
      font-variant-numeric: tabular-nums; }
    .paper { fill: var(--paper); } .lane { fill: var(--lane); }
    text { fill: var(--ink); } .soft { fill: var(--soft); } .small { font-size: 9.5px; }
    .title { font-size: 17px; font-weight: 600; } .name { font-weight: 600; }
    .end { text-anchor: end; } .middle { text-anchor: middle; }
    .grid { stroke: var(--faint); fill: none; } .axis { stroke: var(--soft); fill: none; }
    .swipe { stroke: var(--ink); stroke-width: 1; stroke-dasharray: 2 3; opacity: .55; fill: none; }
    .r0 { fill: var(--r0); } .r1 { fill: var(--r1); } .r2 { fill: var(--r2); } .r3 { fill: var(--r3); }
    .on0, .on1 { fill: var(--on0); } .on2, .on3 { fill: var(--on3); }
    .trip { stroke: var(--soft); stroke-width: 1.5; fill: none; }
    .cancelled { fill: url(#hatch); stroke: var(--soft); } .hatch { fill: var(--soft); opacity: .6; }
    .other { fill: var(--pause); }
    .stalled { fill: var(--stall); } .waiting { fill: var(--wait); } .paused { fill: var(--pause); }
    .column { opacity: .16; }
    .link { fill: var(--link); } .used { fill: var(--used); opacity: .75; }
    .buffer { fill: var(--buffer); opacity: .28; } .level { stroke: var(--buffer); stroke-width: 1.3;
      fill: none; }
    .loading { fill: var(--loading); } .ready { fill: var(--ready); } .playing { fill: var(--buffer); }
    .onplaying { fill: var(--paper); }
    """
}
