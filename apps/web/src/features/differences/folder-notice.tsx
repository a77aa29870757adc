import { defaultLocation, longDate } from '@clinic/domain';
import { wallTime } from '../../shared/clinic-clock.ts';
import { Link } from '../../shared/router/link.tsx';
import css from './differences.module.css';
import { noticeWords } from './model.ts';
import { useFolderImport } from './use-differences.ts';

/** For Today: what the billing system's last export needs, with the way to it; nothing if it needs nothing. */
export function FolderNotice({ shown }: { shown: boolean }) {
  const reply = useFolderImport(shown).data;
  if (!shown || !reply?.last) return null;
  const day = longDate(wallTime(defaultLocation(), Date.parse(reply.last.at)).date).split(', ')[1] ?? '';
  const words = noticeWords(reply.last, day, reply.differences);
  return words === null ? null : (
    <p className={css.notice}>
      <Link to="/differences">{words}</Link>
    </p>
  );
}
