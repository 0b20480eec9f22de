import {
  Badge,
  createTheme,
  defaultCssVariablesResolver,
  DEFAULT_THEME,
  mergeMantineTheme,
  Paper,
  Table,
  Text,
  type ConvertCSSVariablesInput,
} from '@mantine/core';
import { kinds, tones, type Tone } from './tones';

const tonesOf = (scheme: 'light' | 'dark'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tones).flatMap(
      ([
        name,
        {
          [scheme]: [letters, ground],
        },
      ]) => [
        [`--mantine-color-${name}-text`, letters],
        [`--mantine-color-${name}-outline`, letters],
        [`--mantine-color-${name}-light`, ground],
        [`--mantine-color-${name}-light-color`, letters],
      ],
    ),
  );

const mixed = (tone: Tone, percent: number): string =>
  `color-mix(in srgb, var(--mantine-color-${tone}-text) ${String(percent)}%, var(--mantine-color-body))`;

/** Colours of plots. */
const plotted = Object.fromEntries([
  ...Object.entries(kinds).map(([kind, [tone, percent]]) => [`--kind-${kind}`, mixed(tone, percent)]),
  ['--plot-p50', mixed('blue', 100)],
  ['--plot-p95', mixed('blue', 40)],
]) as Record<string, string>;

/** Colours, sizes and the defaults of components. */
export const theme = createTheme({
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { md: '0.875rem' },
  lineHeights: { md: '1.45' },
  components: {
    Badge: Badge.extend({
      defaultProps: { variant: 'light', color: 'blue', size: 'lg', tt: 'none', miw: 'max-content', fw: 600 },
    }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, radius: 'md', p: 'md' } }),
    Table: Table.extend({ defaultProps: { highlightOnHover: true, verticalSpacing: 7, horizontalSpacing: 12 } }),
    Text: Text.extend({ defaultProps: { inherit: true } }),
  },
});

const filled = (color: string, rest: string, hover: string): Record<string, string> => ({
  [`--mantine-color-${color}-filled`]: rest,
  [`--mantine-color-${color}-filled-hover`]: hover,
});

/** The variables of the theme, which vite.config.ts writes into a static file: the page allows no inline style. */
export const themeVariables = (): ConvertCSSVariablesInput => {
  const { variables, light, dark } = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return {
    variables,
    light: {
      ...light,
      ...tonesOf('light'),
      ...plotted,
      ...filled('blue', '#14549e', '#0f4480'),
      ...filled('red', '#b02323', '#8f1b1b'),
      '--mantine-primary-color-filled': '#14549e',
      '--mantine-primary-color-filled-hover': '#0f4480',
      '--mantine-color-text': '#1b2430',
      '--mantine-color-dimmed': '#56616f',
      '--mantine-color-placeholder': '#66717e',
      '--mantine-color-anchor': '#14549e',
      '--mantine-color-error': '#b02323',
      '--mantine-color-default-border': '#dfe3e8',
      '--page': '#f5f6f8',
      '--sunken': '#fbfbfc',
      '--mark': '#fff0b3',
    },
    dark: {
      ...dark,
      ...tonesOf('dark'),
      ...plotted,
      ...filled('blue', '#1d66b8', '#2273cc'),
      ...filled('red', '#b53a3a', '#c44646'),
      '--mantine-primary-color-filled': '#1d66b8',
      '--mantine-primary-color-filled-hover': '#2273cc',
      '--mantine-color-body': '#1b2129',
      '--mantine-color-text': '#e6eaef',
      '--mantine-color-dimmed': '#a4afbc',
      '--mantine-color-placeholder': '#97a3b0',
      '--mantine-color-anchor': '#8dbdf5',
      '--mantine-color-error': '#ff9c9c',
      '--mantine-color-default-border': '#313a45',
      '--mantine-color-dark-6': '#14181e',
      '--mantine-color-dark-4': '#3b4550',
      '--page': '#12161b',
      '--sunken': '#14181e',
      '--mark': '#5a4a12',
    },
  };
};
