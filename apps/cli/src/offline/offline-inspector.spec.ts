import { exitCodes } from '../exit-codes';
import { offlineInspector } from './offline-inspector';

it('that nothing can read files here ends the command with what to install', async () => {
  const look = offlineInspector('/nowhere/python3').inspect(__filename, { cycle: 0 });
  await expect(look).rejects.toMatchObject({
    name: 'CliError',
    exitCode: exitCodes.usage,
    message: expect.stringContaining('pip install gemmi numpy') as string,
  });
});
