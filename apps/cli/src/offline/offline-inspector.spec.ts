import { exitCodes } from '../exit-codes';
import { offlineInspector } from './offline-inspector';

it('a missing file reader ends the command with installation instructions', async () => {
  const look = offlineInspector('/nowhere/python3').inspect(__filename, { cycle: 0 });
  await expect(look).rejects.toMatchObject({
    name: 'CliError',
    exitCode: exitCodes.usage,
    message: expect.stringContaining('pip install gemmi numpy') as string,
  });
});
