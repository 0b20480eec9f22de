import { reachingStore } from './store-fault';

const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });
const failing = (cause: Error): Promise<never> => reachingStore(() => Promise.reject(cause));

describe('reachingStore', () => {
  it.each([
    "READONLY You can't write against a read only replica. script: f3, on @user_script:4.",
    "ERR Error running script (call to f_3): @user_script:4: @user_script: 4: -READONLY You can't write against a read only replica.",
    "OOM command not allowed when used memory > 'maxmemory'. script: f3, on @user_script:4.",
    "NOPERM User fleet has no permissions to run the 'evalsha' command",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
  ])('classifies "%s" as a transient state of Redis', async (message) => {
    await expect(failing(reply(message))).rejects.toMatchObject({ code: 'store.unreachable', kind: 'transient' });
  });

  it('classifies a lost connection as transient', async () => {
    await expect(failing(new Error('Connection is closed.'))).rejects.toMatchObject({ code: 'store.unreachable' });
  });

  it('classifies any other error reply as a bug', async () => {
    await expect(failing(reply('WRONGTYPE Operation against a key'))).rejects.toMatchObject({ code: 'store.refused' });
  });

  it('does not classify a programming error as an unreachable Redis', async () => {
    const slip = new TypeError('x is not a function');
    await expect(failing(slip)).rejects.toBe(slip);
  });
});
