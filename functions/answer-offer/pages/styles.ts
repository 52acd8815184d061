// The look of every page: one column, readable on a phone in sunlight, dark when the phone is. Contrast is at least 4.5:1 in both.

export const STYLES = `
:root{color-scheme:light dark;--ground:#f4f2ee;--card:#fff;--ink:#1c1b22;--soft:#57535e;--line:#d9d4cc;--edge:#8a8491;--accent:#3d2f8f;--on-accent:#fff;--tint:#eceaf8;--warn:#8a4b00;--warn-tint:#fdf1dc;--bad:#a3162a;--bad-tint:#fdecee;--good:#1a6a41;--good-tint:#e5f4ea}
@media(prefers-color-scheme:dark){:root{--ground:#141318;--card:#1e1d24;--ink:#f1eff5;--soft:#b5b0bf;--line:#37343f;--edge:#8a8496;--accent:#b9aeff;--on-accent:#17132e;--tint:#2a2740;--warn:#f4bd6b;--warn-tint:#372912;--bad:#ff9aa6;--bad-tint:#3a181d;--good:#83d9a6;--good-tint:#16311f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:34rem;margin:0 auto;padding:.5rem .6rem 1rem}
.brand{display:flex;justify-content:space-between;gap:1rem;max-width:34rem;margin:0 auto;padding:.55rem .95rem 0;color:var(--soft);font-size:.875rem}
.brand b{color:var(--accent);letter-spacing:.02em}
h1{font-size:1.3rem;line-height:1.2;margin:.05rem 0 .4rem;letter-spacing:-.015em}
h2{font-size:1.05rem;line-height:1.3;margin:0 0 .45rem}
p{margin:.4rem 0}
a{color:var(--accent)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.9rem;padding:.8rem .9rem;margin:0 0 .55rem}
.pill{display:inline-block;margin:0 0 .4rem;padding:.12rem .6rem;border-radius:.95rem;font-size:.9rem;font-weight:600;background:var(--tint);color:var(--accent)}
.pill.warn{background:var(--warn-tint);color:var(--warn)}
.pill.good{background:var(--good-tint);color:var(--good)}
.note{border-left:4px solid var(--warn);background:var(--warn-tint);padding:.5rem .75rem;border-radius:0 .5rem .5rem 0;margin:.5rem 0}
.words{margin:.2rem 0 .55rem;padding-left:.75rem;border-left:3px solid var(--accent);overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:minmax(4.5rem,max-content) minmax(0,1fr);gap:.15rem .8rem;margin:0;font-size:.94rem;line-height:1.4}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
form{margin:0}
fieldset{border:0;margin:0 0 .75rem;padding:0;min-width:0}
legend,.label{display:block;padding:0;margin:0 0 .3rem;font-weight:600}
.hint{display:block;color:var(--soft);font-size:.875rem;font-weight:400;margin:.1rem 0 .3rem}
.choices{display:flex;flex-wrap:wrap;gap:.4rem}
.choices.times{display:grid;grid-template-columns:1fr 1fr}
.choices.down{flex-direction:column}
.choice{position:relative;display:flex;align-items:center;gap:.45rem;min-height:2.75rem;padding:.3rem .7rem .3rem .55rem;line-height:1.2;border:1px solid var(--edge);border-radius:.7rem;background:var(--card);cursor:pointer}
.choice input{width:1.15rem;height:1.15rem;margin:0;accent-color:var(--accent);flex:none}
.choice:has(:checked){border-color:var(--accent);background:var(--tint);box-shadow:inset 0 0 0 1px var(--accent)}
.field{margin:0 0 .9rem}
input[type=text],input[type=datetime-local],textarea,select{width:100%;min-height:2.75rem;padding:.5rem .7rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:.7rem}
textarea{min-height:5rem;resize:vertical}
.typed{margin-top:.5rem}
@supports selector(:has(*)){.typed{display:none}fieldset:has(input.other:checked) .typed,fieldset.wrong .typed{display:block}}
button{width:100%;min-height:3rem;padding:.6rem 1rem;border:1px solid var(--accent);border-radius:.8rem;background:var(--card);color:var(--accent);font:inherit;font-weight:650;cursor:pointer}
button.main{background:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.choice:has(:focus-visible){outline:3px solid var(--accent);outline-offset:2px}
.choice input:focus-visible{outline:0}
details{background:var(--card);border:1px solid var(--line);border-radius:.9rem;margin:0 0 .4rem}
summary{display:flex;align-items:center;justify-content:space-between;min-height:2.75rem;padding:.3rem .9rem;font-weight:600;cursor:pointer;border-radius:.9rem;list-style:none}
summary::-webkit-details-marker{display:none}
summary::after{content:"";width:.55rem;height:.55rem;border-right:2px solid var(--soft);border-bottom:2px solid var(--soft);transform:rotate(45deg);margin:0 .2rem .25rem}
details[open]>summary::after{transform:rotate(225deg);margin-bottom:-.2rem}
details>form{padding:.3rem .9rem .9rem}
.or{color:var(--soft);font-size:.9rem;margin:.6rem .35rem .3rem}
.problems{border:2px solid var(--bad);background:var(--bad-tint);border-radius:.9rem;padding:.8rem 1rem;margin:0 0 .75rem}
.problems h2{color:var(--bad);margin-bottom:.3rem}
.problems ul{margin:0;padding-left:1.1rem}
.problems a{color:var(--bad);font-weight:600}
.problem{display:block;color:var(--bad);font-weight:600;margin:.15rem 0 .35rem}
.wrong{border-left:4px solid var(--bad);padding-left:.75rem}
footer{max-width:34rem;margin:0 auto;padding:0 1rem 2rem;color:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
footer p{margin:.15rem 0}
.id{white-space:nowrap;font-size:.78rem}
.times .choice{font-size:.95rem}
@media(forced-colors:active){.choice:has(:checked){outline:2px solid}}
`
  .trim()
  .replace(/\n/g, '');
