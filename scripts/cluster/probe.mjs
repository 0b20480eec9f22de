#!/usr/bin/env node
// probe.mjs URL SECONDS: waits until URL answers 2xx. Run inside the cluster's network namespace, where the parts listen.
import http from 'node:http';
import https from 'node:https';

const [url, seconds] = process.argv.slice(2);
const deadline = Date.now() + Number(seconds) * 1000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves to true for a 2xx answer. Certificates are not verified, because the parts sign their own health ports. */
function answers() {
  const get = url.startsWith('https:') ? https.get : http.get;
  return new Promise((resolve) => {
    const request = get(url, { timeout: 2000, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode >= 200 && response.statusCode < 300);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false)); // not listening yet
  });
}

let ready = await answers();
while (!ready && Date.now() < deadline) {
  await pause(50);
  ready = await answers();
}
process.exitCode = ready ? 0 : 1;
