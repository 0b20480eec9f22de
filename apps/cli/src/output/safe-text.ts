/** What a terminal would obey; line breaks and tabs stay. */
const control = /(?![\n\t])\p{Cc}/gu;

/** Text of a program, harmless for the terminal that shows it. */
export const safeText = (text: string): string => text.replaceAll(control, '·');
