import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errnoOf } from '@fleet/contracts/faults';
import type { ErrorCode } from './error-catalogue';
import { ApiError, problemMediaType, toProblem } from './problem-details';

const known: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [
    'request.headers_too_large',
    `The request headers, including the URL, exceed ${String(maxHeaderSize)} bytes.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request.timeout', 'The request did not arrive in time.'],
};

/** Answers bytes that are not a valid HTTP request: neither the framework nor its filters see them. */
export const answerClientError = (error: Error, socket: Socket): void => {
  const errno = errnoOf(error) ?? '';
  if (errno === 'ECONNRESET' || socket.destroyed) return;
  const [code, detail] = known[errno] ?? (['request.rejected', 'The received data are not an HTTP request.'] as const);
  const problem = toProblem(new ApiError(code, detail), { instance: '', requestId: randomUUID() });
  const body = JSON.stringify(problem);
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${String(problem.status)} ${STATUS_CODES[problem.status] ?? ''}`,
      `content-type: ${problemMediaType}`,
      `x-request-id: ${problem.requestId}`,
      `content-length: ${String(Buffer.byteLength(body))}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
};
