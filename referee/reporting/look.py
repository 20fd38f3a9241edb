"""The style sheet of the page: light and dark, narrow and wide, and on paper."""

STYLE = """
:root { --ink: #1d1d20; --soft: #5d5d66; --paper: #ffffff; --grid: #dcdce0; --band: #f4f4f6; --link: #0b5cad;
  --win: #4393c3; --loss: #d6604d; --notice: #fff3d6; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8ea; --soft: #a8a8b2; --paper: #17171a; --grid: #3a3a40; --band: #222226; --link: #7ab8f5;
    --win: #2f6f9f; --loss: #a8483a; --notice: #453812; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "DejaVu Sans", Verdana, sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 1rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; padding-bottom: .25rem; border-bottom: 2px solid var(--grid); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
p, li { overflow-wrap: anywhere; max-width: 75ch; }
.about { font-size: 1.1rem; }
.facts, .note, figcaption, small { color: var(--soft); }
.note, figcaption { font-size: .87rem; }
.notice { background: var(--notice); padding: .5rem .75rem; border-radius: 4px; }
pre { background: var(--band); padding: .6rem .8rem; border-radius: 4px; overflow-x: auto; }
code { font: .86em ui-monospace, "DejaVu Sans Mono", monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .65rem; border-bottom: 1px solid var(--grid); text-align: left; vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 2px solid var(--grid); color: var(--soft); font-size: .85rem; }
.number { text-align: right; white-space: nowrap; }
td.name, th[scope=row] { min-width: 11rem; max-width: 26rem; overflow-wrap: anywhere; }
.cross td { text-align: center; white-space: nowrap; }
.cross thead th { text-align: center; }
.cross small { display: block; font-size: .75rem; color: inherit; opacity: .85; }
.win { background: color-mix(in srgb, var(--win) var(--deep), transparent); }
.loss { background: color-mix(in srgb, var(--loss) var(--deep), transparent); }
.none { color: var(--soft); }
figure { margin: 1.5rem 0; }
figure svg { display: block; width: 100%; min-width: 620px; height: auto;
  font-family: "DejaVu Sans", Verdana, sans-serif; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--link); }
@media print {
  :root { --ink: #000; --soft: #444; --paper: #fff; --grid: #ccc; --band: #f4f4f4; --win: #4393c3; --loss: #d6604d; }
  body { font-size: 11px; }
  main { max-width: none; padding: 0; }
  figure, tr, .wrong { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide { overflow: visible; }
  figure svg { min-width: 0; }
  td, tr { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
