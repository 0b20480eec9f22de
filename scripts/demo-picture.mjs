#!/usr/bin/env node
// node scripts/demo-picture.mjs: draws docs/images/demo.svg, the terminal in the README, from docs/images/demo.txt, which is a recording:
//  npm run --silent demo 2>&1 | sed "s|$HOME|~|g" > docs/images/demo.txt
// With --check it writes nothing and fails if the picture does not match the recording.
import fs from 'node:fs';
import path from 'node:path';
import { checkout } from './setup/paths.mjs';

const file = (name) => path.join(checkout, 'docs/images', name);
const longest = 140; // characters of a line, the width of the picture
const [width, lineHeight, firstLine] = [1090, 16.5, 46];

/** From one line to before another the picture shows only `…`: it has the first cycle, the last ones, and the end. */
const leftOut = [
  [/^── Cycle 2 /, /^── Cycle 6 /],
  [/^# demo$/, /^How long /],
  [/^ {2}cycle 1 /, /^ {2}all programs /],
];

/** The colour class of a line: `c` starts a section, `k` is set-up, `g` is a result. */
const colours = { c: /^(\$|──) /, k: /^· /, g: /^( {2}(trend .*\(better\)| *stop )|ENDED |Session \S+: )/ };

const style =
  'text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px;fill:#cbd5e1;white-space:pre}' +
  '.c{fill:#7dd3fc;font-weight:600}.k{fill:#94a3b8}.g{fill:#86efac}';

function shown(lines) {
  return leftOut.reduce((rest, [from, before]) => {
    const [begin, end] = [from, before].map((mark) => rest.findIndex((line) => mark.test(line)));
    if (begin < 0 || end < begin) throw new Error(`demo.txt has no line ${from} before a line ${before}.`);
    return [...rest.slice(0, begin), '   …', ...rest.slice(end)];
  }, lines);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const cut = (text) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

function drawn(line, index) {
  const colour = Object.keys(colours).find((name) => colours[name].test(line));
  const y = (firstLine + index * lineHeight).toFixed(1);
  return `<text x="16" y="${y}"${colour ? ` class="${colour}"` : ''} xml:space="preserve">${escaped(cut(line))}</text>`;
}

function picture(recording) {
  const lines = shown(['$ npm run demo', ...recording.trimEnd().split('\n')]);
  const height = Math.ceil(firstLine + lines.length * lineHeight + 11);
  const dots = ['#f87171', '#fbbf24', '#4ade80'].map(
    (fill, index) => `<circle cx="${18 + 18 * index}" cy="16" r="5" fill="${fill}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal with the output of npm run demo">`,
    `<style>${style}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0f172a"/>${dots.join('')}`,
    ...lines.map(drawn),
    '</svg>\n',
  ].join('\n');
}

const made = picture(fs.readFileSync(file('demo.txt'), 'utf8'));
if (!process.argv.includes('--check')) fs.writeFileSync(file('demo.svg'), made);
else if (fs.readFileSync(file('demo.svg'), 'utf8') !== made) {
  process.stderr.write('docs/images/demo.svg is not the picture of demo.txt: node scripts/demo-picture.mjs\n');
  process.exitCode = 1;
}
