import type { InstalledProgram } from '@fleet/contracts/service';
import type { SourceSettings } from '../settings/kubernetes-settings';

const digestOf = (image: string): string | undefined => /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1];

/** Digests of the images of a source, if its settings name them by digest: a tag may move. */
export const imagesOf = ({
  image,
  gpuImage = image,
}: Pick<SourceSettings, 'image' | 'gpuImage'>): Pick<InstalledProgram, 'images'> => {
  const [cpu, gpu] = [digestOf(image), digestOf(gpuImage)];
  if (cpu === undefined && gpu === undefined) return {};
  return { images: { ...(cpu !== undefined && { cpu }), ...(gpu !== undefined && { gpu }) } };
};
