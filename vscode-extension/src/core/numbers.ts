/** A whole number as people read it: 1,873. */
export function counted(value: number, locale = "en"): string {
  return new Intl.NumberFormat(locale).format(value);
}
