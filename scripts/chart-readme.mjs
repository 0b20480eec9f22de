#!/usr/bin/env node
// node scripts/chart-readme.mjs: writes the table of values into the chart's README from the comments in values.yaml.
// With --check it writes nothing and fails when the README is not current.
import fs from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { checkout } from './setup/paths.mjs';

const chart = path.join(checkout, 'helm/phenix-fleet');
const readme = path.join(chart, 'README.md');
const [begin, end] = ['<!-- generated: from values.yaml -->', '<!-- end of generated -->'];

const valueAt = (values, keys) => keys.reduce((value, key) => value?.[key], values);

/** A commented key is a row; `## Heading` begins a table. A comment describes the key below it with everything inside. */
function rowsOf(text) {
  const values = load(text);
  const rows = [];
  const open = []; // the keys above the line, with their indentation
  let comment = [];
  for (const line of text.split('\n')) {
    const heading = /^## (.*)$/.exec(line);
    const remark = /^\s*# (.*)$/.exec(line);
    const key = /^( *)([\w-]+):/.exec(line);
    if (heading) rows.push({ heading: heading[1] });
    else if (remark) comment.push(remark[1]);
    else if (key) {
      while (open.length > 0 && open.at(-1).indent >= key[1].length) open.pop();
      const covered = open.some((parent) => parent.commented);
      open.push({ name: key[2], indent: key[1].length, commented: comment.length > 0 });
      const keys = open.map(({ name }) => name);
      const value = valueAt(values, keys);
      if (comment.length > 0) rows.push({ name: keys.join('.'), what: comment.join(' '), value });
      else if (!covered && !isObject(value)) throw new Error(`values.yaml: ${keys.join('.')} has no comment.`);
      comment = [];
    } else comment = [];
  }
  return rows;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const cell = (text) => text.replaceAll('|', '\\|');
const code = (value) => `\`${cell(value === '' ? "''" : typeof value === 'string' ? value : JSON.stringify(value))}\``;

const head = ['| Value | Meaning | Default |', '| --- | --- | --- |'];

function tables(rows) {
  const lines = rows.flatMap(({ heading, name, what, value }) =>
    heading === undefined ? [`| \`${name}\` | ${cell(what)} | ${code(value)} |`] : ['', `### ${heading}`, '', ...head],
  );
  return lines.join('\n').trim();
}

const text = fs.readFileSync(readme, 'utf8');
const [before, rest = ''] = text.split(begin);
const after = rest.split(end)[1] ?? '';
const made = tables(rowsOf(fs.readFileSync(path.join(chart, 'values.yaml'), 'utf8')));
const current = `${before}${begin}\n\n${made}\n\n${end}${after}`;

if (!process.argv.includes('--check')) fs.writeFileSync(readme, current);
else if (text !== current) {
  process.stderr.write('helm/phenix-fleet/README.md is not what values.yaml says: node scripts/chart-readme.mjs\n');
  process.exitCode = 1;
}
