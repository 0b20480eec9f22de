import { imagesOf } from './source-images';

const [one, other] = ['1', '2'].map((digit) => `sha256:${digit.repeat(64)}`);

it.each([
  ['a tag', { image: 'registry/phenix:2.0' }, {}],
  ['a digest', { image: `registry/phenix@${one}` }, { images: { cpu: one, gpu: one } }],
  ['a tag with a digest', { image: `registry:5000/phenix:2.0@${one}` }, { images: { cpu: one, gpu: one } }],
  [
    'another image for GPUs',
    { image: `registry/phenix@${one}`, gpuImage: `registry/gpu@${other}` },
    { images: { cpu: one, gpu: other } },
  ],
  [
    'another image for GPUs by a tag',
    { image: `registry/phenix@${one}`, gpuImage: 'registry/gpu:2.0' },
    { images: { cpu: one } },
  ],
])("takes the digests of a source's images from its settings: %s", (_, source, expected) => {
  expect(imagesOf(source)).toEqual(expected);
});
