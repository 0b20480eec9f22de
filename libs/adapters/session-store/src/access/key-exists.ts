import { Fault } from '@fleet/contracts';

export const keyExists = (id: string): Fault => new Fault('key.exists', 'conflict', `There is a key ${id} already.`);
