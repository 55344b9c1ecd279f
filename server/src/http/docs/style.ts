import type { Site } from '@gatehouse/contract';

const OUR_ACCENT = '#f2b65c';

/** Style of the API page: the look of the players' pages, in reading density. */
export const docsStyle = ({ accent = OUR_ACCENT }: Site) => `
:root{color-scheme:dark;--ink:#0d141c;--line:#2b3947;--paper:#f3ecdf;--dim:#bdb8ac;--amber:${accent}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:#080c12;color:var(--paper);font:1rem/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
a{color:var(--amber);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--amber);outline-offset:2px}
h1,h2{font-family:Georgia,"Songti SC",serif;line-height:1.25}
h1{margin:0;font-size:1.75rem}
h2{margin:2.5rem 0 .75rem;font-size:1.375rem}
h2::first-letter,nav>ul>li>a::first-letter{text-transform:uppercase}
h3{margin:0;font-size:1rem;font-weight:600}
h4{margin:1.25rem 0 .25rem;color:var(--dim);font-size:.875rem}
p{margin:.25rem 0}
ol{padding-inline-start:1.25rem}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:.25rem 0;padding:.75rem;overflow:auto;max-height:24rem;border-radius:8px;background:#05080c;font-size:.875rem;line-height:1.5}
header,.columns{max-width:84rem;margin:0 auto;padding:1.5rem 1.25rem 0}
.columns{display:grid;grid-template-columns:17rem minmax(0,1fr);gap:2rem}
main{padding-bottom:4rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:1rem 0;font-size:.9375rem}
nav ul{margin:0;padding:0;list-style:none}
nav ul ul{padding-inline-start:.75rem}
nav ul ul a{color:var(--dim);text-decoration:none}
nav a{display:block;padding:.15rem 0}
nav code{font-size:.8125rem}
footer{max-width:84rem;margin:0 auto;padding:1rem 1.25rem 2rem;border-top:1px solid var(--line);font-size:.875rem}
.links a{margin-inline-end:1rem}
.tools{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;margin-top:1rem}
label{display:block;flex:1 1 16rem;color:var(--dim);font-size:.875rem}
input,textarea{display:block;width:100%;margin-top:.15rem;padding:.5rem .6rem;border:1px solid #4a5a6a;border-radius:8px;background:#05080c;color:var(--paper);font:inherit}
textarea{min-height:9rem;font:.875rem/1.5 ui-monospace,monospace}
button{margin-top:1rem;padding:.45rem 1.1rem;border:1px solid var(--amber);border-radius:8px;background:none;color:var(--amber);font:inherit;cursor:pointer}
article{margin:.75rem 0;border:1px solid var(--line);border-radius:12px;background:var(--ink)}
article>details>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.75rem 1rem;cursor:pointer;list-style:none}
article>details>summary::-webkit-details-marker{display:none}
article>details>summary:hover{background:#131c26}
article details details{margin-top:.75rem}
article details details summary{color:var(--dim);cursor:pointer}
article>details>div{position:relative;padding:.5rem 1rem 1rem;border-top:1px solid var(--line)}
.anchor{font-size:.8125rem}
.method{min-width:3.75rem;padding:.05rem .5rem;border-radius:6px;background:#1b2733;color:#9cc7ee;font:700 .8125rem/1.6 ui-monospace,monospace;text-align:center}
.POST,.PUT,.PATCH{color:#86d9b7}
.DELETE{color:#ff8d75}
.dim{color:var(--dim)}
.auth{margin-inline-start:auto;color:var(--dim);font-size:.8125rem}
.table{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--dim);font-size:.8125rem;font-weight:600}
th[scope=row]{width:24%;overflow-wrap:break-word;color:var(--paper);font-size:inherit;font-weight:400}
td:nth-child(2){width:34%}
tr:target{background:#1d2a37}
[hidden]{display:none!important}
@media(width<60rem){.columns{display:block;padding-top:0}nav{position:static;max-height:none}nav ul ul{display:none}nav>ul{display:flex;flex-wrap:wrap;gap:0 1.25rem}.auth{width:100%}th[scope=row],td:nth-child(2){width:auto}}
@media(width<40rem){thead{display:none}tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}tbody th,td{display:block;padding:0;border:0}td+td{margin-top:.25rem}td:empty{display:none}}
`;
