// Loaded into Node.js before DOMShell's proxy, which takes its token from its arguments only:
// others could read it there. Here it comes from the environment, in the process itself.
"use strict";
const told = process.env.DOMSHELL_TOKEN;
if (told && /domshell-proxy(\.[cm]?js)?$/.test(process.argv[1] || "") && !process.argv.includes("--token")) {
  process.argv.push("--token", told);
}
