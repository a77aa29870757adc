/** `2 cancellations to submit` */
export const toCancelWords = (count: number): string =>
  `${count} ${count === 1 ? 'cancellation' : 'cancellations'} to submit`;

/** `2 things are wrong` */
export const wrongCountWords = (count: number): string =>
  count === 1 ? '1 thing is wrong' : `${count} things are wrong`;
