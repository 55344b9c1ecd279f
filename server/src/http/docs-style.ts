/** Style of the API page: the look of the players' pages, in reading density. */
export const docsStyle = `
:root{color-scheme:dark;--ink:#0d141c;--line:#2b3947;--paper:#f3ecdf;--dim:#bdb8ac;--amber:#f2b65c}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:#080c12;color:var(--paper);font:1rem/1.6 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif;overflow-wrap:anywhere}
a{color:var(--amber);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--amber);outline-offset:2px}
h1,h2{font-family:Georgia,"Songti SC",serif;line-height:1.25}
h1{margin:0;font-size:1.75rem}
h2{margin:2.5rem 0 .75rem;font-size:1.375rem;text-transform:capitalize}
h3{margin:0;font-size:1rem;font-weight:600}
h4{margin:1rem 0 .25rem;color:var(--dim);font-size:.875rem}
p{margin:.25rem 0}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
header,nav,main{max-width:76rem;margin:0 auto;padding:1.5rem 1.25rem 0}
main{padding-bottom:4rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:0;list-style:none;text-transform:capitalize}
nav a{display:block;padding:.25rem 0}
article{margin:0 0 .75rem;border:1px solid var(--line);border-radius:12px;background:var(--ink)}
summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.75rem 1rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:#131c26}
details>div{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.method{min-width:3.75rem;padding:.05rem .5rem;border-radius:6px;background:#1b2733;color:#9cc7ee;font:700 .8125rem/1.6 ui-monospace,monospace;text-align:center}
.POST,.PUT,.PATCH{color:#86d9b7}
.DELETE{color:#ff8d75}
.dim{color:var(--dim)}
.auth{margin-inline-start:auto;color:var(--dim);font-size:.8125rem}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--dim);font-size:.8125rem;font-weight:600}
th[scope=row]{width:24%;color:var(--paper);font-size:inherit;font-weight:400}
td:nth-child(2){width:34%}
@media(width<48rem){.auth{width:100%}th[scope=row],td:nth-child(2){width:auto}}
`;
