// Loaded into Node.js before DOMShell's programs.
"use strict";
// Node.js 18, that of Debian 12, has no global `crypto`, which the server needs.
if (!globalThis.crypto) globalThis.crypto = require("node:crypto").webcrypto;
// The proxy takes its token from its arguments only, where others could read it. Here it comes
// from the environment, in the process itself.
const told = process.env.DOMSHELL_TOKEN;
const isProxy = /domshell-proxy(\.[cm]?js)?$/.test(process.argv[1] || "");
if (told && isProxy && !process.argv.includes("--token")) process.argv.push("--token", told);
