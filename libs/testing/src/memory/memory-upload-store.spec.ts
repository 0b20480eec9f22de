import { uploadStoreContract } from '@fleet/testing';
import { MemoryUploadStore } from './memory-upload-store';

uploadStoreContract('MemoryUploadStore', () => new MemoryUploadStore());
