import { loginStoreContract } from '@fleet/testing';
import { MemoryLoginStore } from './memory-login-store';

loginStoreContract('MemoryLoginStore', () => new MemoryLoginStore());
