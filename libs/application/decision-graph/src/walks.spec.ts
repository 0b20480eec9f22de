import { join } from 'node:path';
import { walkTables } from '@fleet/testing';

walkTables(join(__dirname, 'walks'));
