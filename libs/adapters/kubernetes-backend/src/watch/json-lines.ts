/** Longer lines are not Kubernetes objects (etcd stores at most 1.5 MiB), in characters. */
const longestLine = 8 * 1024 * 1024;

/** The lines of a byte stream. @throws Error for a line without end */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    rest += decoder.decode(bytes, { stream: true });
    if (!rest.includes('\n')) {
      if (rest.length > longestLine) throw new Error('a line of the watch does not end');
      continue;
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') yield line;
    }
  }
}
