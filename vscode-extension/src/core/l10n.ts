/** Words for the person. Modules that make them are handed this, so that none needs the editor. */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** The sentence as it stands in the source, with its values; what an editor in English shows. */
export const plainEnglish: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
