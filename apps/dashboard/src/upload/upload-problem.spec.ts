import { ApiError } from '@fleet/api-client';
import { uploadProblem } from './upload-problem';

const refusal = (code: string, detail: string, problems: readonly object[] = []): ApiError =>
  new ApiError(
    422,
    `${detail} and the names of headers`,
    JSON.parse(JSON.stringify({ title: code, code, detail, problems })) as ApiError['problem'],
  );

describe('why a file was rejected', () => {
  it("is the gateway's message, without header names", () => {
    const unknown = { field: 'Upload-Metadata.filename', reason: 'it has an unknown format', allowed: 'MTZ, PDB' };
    expect(uploadProblem(refusal('upload.bad_file', '"a.png" cannot be used.', [unknown]))).toBe(
      '"a.png" cannot be used.',
    );
    const name = { field: 'Upload-Metadata.filename', reason: '".a" is not accepted', allowed: 'a name' };
    const size = { field: 'Upload-Length', reason: 'it is empty' };
    expect(uploadProblem(refusal('request.invalid', 'The headers are invalid.', [name, size]))).toBe(
      '".a" is not accepted; allowed is a name. it is empty.',
    );
  });

  it("is also known for a response that is not a gateway's", () => {
    expect(uploadProblem(new ApiError(502, '502 Bad Gateway'))).toBe('502 Bad Gateway');
    expect(uploadProblem('gone')).toBe('gone');
  });
});
