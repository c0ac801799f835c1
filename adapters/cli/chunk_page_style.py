"""The style of the chunk page; system fonts alone, light and dark."""

STYLE = """
:root { color-scheme: light dark;
  --ground: #fff; --text: #1d2126; --soft: #626b75; --line: #d5dae0; --bar: #f2f4f7; --side: #f7f8fa;
  --mark: #2563c9; --table: #0f7a5a; --list: #8a5a00; --slide: #7a3fb0; --notes: #9a3b6b; --alarm: #b3261e;
  --alarm-ground: #fdecea; --omitted: #f1f1f1; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #16191d; --text: #e4e7eb; --soft: #98a2ad; --line: #363c44; --bar: #21262c; --side: #1b1f24;
  --mark: #7fb0ff; --table: #5fd0a8; --list: #e0b060; --slide: #c79bf0; --notes: #f0a0c8; --alarm: #ff8a80;
  --alarm-ground: #3a1f1d; --omitted: #20242a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: minmax(14rem, 20rem) minmax(0, 1fr); color: var(--text);
  background: var(--ground); line-height: 1.7;
  font-family: system-ui, "Hiragino Sans", "Hiragino Kaku Gothic ProN", "Yu Gothic UI", "Yu Gothic", Meiryo,
    "Noto Sans CJK JP", "Noto Sans JP", sans-serif; }
body:lang(zh) { font-family: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; background: var(--side);
  border-right: 1px solid var(--line); font-size: .84rem; }
nav ul { list-style: none; margin: .2rem 0 1rem; padding: 0; }
nav li { padding: .1rem 0; overflow-wrap: anywhere; line-height: 1.45; }
nav summary { font-weight: 600; overflow-wrap: anywhere; }
nav a { color: inherit; text-decoration: none; }
nav a:hover, nav a:focus-visible { text-decoration: underline; color: var(--mark); }
nav .l2 { padding-left: .9rem; } nav .l3 { padding-left: 1.8rem; } nav .l4 { padding-left: 2.7rem; }
nav .l5 { padding-left: 3.6rem; } nav .l6 { padding-left: 4.5rem; }
.count { color: var(--soft); font-variant-numeric: tabular-nums; }
nav .gap { color: var(--alarm); }
main { padding: 1.5rem 2rem 6rem; max-width: 62rem; min-width: 0; }
section + section { margin-top: 4rem; border-top: 3px solid var(--line); }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.25rem; } h3 { font-size: 1.1rem; }
h4, h5, h6 { font-size: 1rem; } h2, h3, h4, h5, h6 { margin: 1.6rem 0 .5rem; overflow-wrap: anywhere; }
.container { color: var(--soft); border-bottom: 1px solid var(--line); }
.summary { display: grid; gap: .15rem; margin: 0 0 1.5rem; padding: .8rem 1rem; border: 1px solid var(--line);
  border-radius: 6px; font-size: .9rem; }
.summary div { display: flex; gap: 1rem; } .summary dt { flex: 0 0 11rem; color: var(--soft); }
.summary dd { margin: 0; overflow-wrap: anywhere; }
.chunk { --kind: var(--mark); margin: .7rem 0; border: 1px solid var(--kind); border-left-width: 5px;
  border-radius: 6px; overflow: hidden; }
.chunk[data-kind=table] { --kind: var(--table); } .chunk[data-kind=list] { --kind: var(--list); }
.chunk[data-kind=slide] { --kind: var(--slide); } .chunk[data-kind=notes] { --kind: var(--notes); }
.chunk[data-kind=boilerplate] { --kind: var(--soft); }
.parent { border-style: dashed; }
.chunk header { display: flex; flex-wrap: wrap; gap: .1rem .8rem; padding: .3rem .8rem; background: var(--bar);
  font-size: .78rem; color: var(--soft); line-height: 1.6; }
.number { color: var(--kind); font-weight: 700; text-decoration: none; } .kind { color: var(--kind); }
.family { color: inherit; }
.path, code { overflow-wrap: anywhere; min-width: 0; unicode-bidi: isolate; }
code { font-family: inherit; opacity: .85; } .path { color: var(--text); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.chunk .text { padding: .6rem .9rem .7rem; }
:target { outline: 2px solid var(--mark); outline-offset: 3px; }
.omitted { margin: .4rem 0; padding: .35rem .9rem; border-left: 5px solid var(--line); background: var(--omitted);
  color: var(--soft); font-size: .86rem; }
.omitted span { font-size: .78rem; }
details > summary { cursor: pointer; } main details > summary { color: var(--soft); font-size: .86rem; }
.alarm { padding: .8rem 1rem; border: 2px solid var(--alarm); border-radius: 6px; background: var(--alarm-ground);
  color: var(--text); overflow-wrap: anywhere; }
.alarm p { margin: 0; } .alarm strong { color: var(--alarm); } q { unicode-bidi: isolate; white-space: pre-wrap; }
table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .25rem .8rem; border: 1px solid var(--line);
  text-align: left; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; max-height: 40vh; }
  main { padding: 1rem; } }
@media print { body { display: block; } nav { display: none; } .chunk { break-inside: avoid; } }
"""
