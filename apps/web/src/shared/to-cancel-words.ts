/** `2 cancellations to submit` */
export const toCancelWords = (count: number): string =>
  `${count} ${count === 1 ? 'cancellation' : 'cancellations'} to submit`;
