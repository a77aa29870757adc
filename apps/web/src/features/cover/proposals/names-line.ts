import { UNASSIGNED } from '@clinic/contract';
import { duration } from '@clinic/domain';
import { is, type CellView } from './table.ts';

/** One part of the line under a session's strip. */
export interface NameOnLine {
  piece: CellView;
  text: string;
  /** Whether the text is a therapist's name, not a status. */
  isName: boolean;
  /** Whether the therapist is a new face, which no word of the line says. */
  isNew: boolean;
}

/**
 * The line under a session's strip. A whole session says its status, since the strip has the name. A session in pieces
 * names each therapist once, with what is not said by the piece's place, length and sign.
 */
export function namesLine(pieces: readonly CellView[]): NameOnLine[] {
  const [first] = pieces;
  if (!first) return [];
  const open = (piece: CellView): boolean => piece.kind === 'unassigned';
  if (pieces.length === 1 || pieces.every(open)) {
    const minutes = pieces.reduce((sum, piece) => sum + piece.minutes, 0);
    const words = pieces.length === 1 ? first.words : duration(minutes);
    const text = open(first) && is(first.therapist, UNASSIGNED) ? `Nobody, ${words}` : words;
    return [{ piece: first, text, isName: false, isNew: false }];
  }
  const said = new Set<string>();
  return pieces.flatMap((piece): NameOnLine[] => {
    const { kind, therapist, note } = piece;
    if (open(piece)) return note === null ? [] : [{ piece, text: note, isName: false, isNew: false }];
    const isPlain = note === null && (kind !== 'scheduled' || is(piece.words, 'Scheduled'));
    const text = isPlain ? therapist : `${therapist}: ${note ?? piece.words}`;
    if (said.has(`${kind} ${text}`)) return [];
    said.add(`${kind} ${text}`);
    return [{ piece, text, isName: true, isNew: piece.familiarity === 'new' }];
  });
}
