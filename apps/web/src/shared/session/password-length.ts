import { SHORTEST_PASSWORD } from '@clinic/contract';

export const isTooShort = (password: string): boolean => password.length < SHORTEST_PASSWORD;
export const LENGTH_WORDS = `At least ${SHORTEST_PASSWORD} characters`;
