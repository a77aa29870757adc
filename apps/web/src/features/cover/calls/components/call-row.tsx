import type { CallLine, Contact, LinePlanB } from '@clinic/contract';
import { clockTime, languageOf, parseTime, planFirstWords } from '@clinic/domain';
import { isolated } from '../../../../shared/isolated.ts';
import { personPath } from '../../../../shared/person-path.ts';
import { Link } from '../../../../shared/router/link.tsx';
import { Button } from '../../../../shared/ui/button.tsx';
import { PlainInput } from '../../../../shared/ui/plain-field.tsx';
import { Icon } from '../../../../shared/ui/icon.tsx';
import { Chip } from '../../../../shared/ui/states.tsx';
import {
  ANSWERS,
  cancelableIn,
  choosableIn,
  contactWords,
  firstWords,
  heardWords,
  isTrouble,
  kindWords,
  lineKey,
  messageWords,
  needsPlan,
  recordedWords,
  resultWords,
  waitWords,
  whoWords,
  windowWords,
} from '../model.ts';
import type { CallListState } from '../use-call-list.ts';
import { BeforeYes } from './before-yes.tsx';
import { ChooseOther } from './choose-other.tsx';
import { NotTold } from './not-told.tsx';
import { NoScope } from './no-scope.tsx';
import { SpokenWords, type Said } from './spoken-words.tsx';
import css from '../calls.module.css';

interface RowProps {
  line: CallLine;
  /** What to say: the line's own sentences, or those of several dates. */
  said: Said;
  list: CallListState;
  planB: LinePlanB | undefined;
  /** The other families with the same number, in words. */
  sameNumber: string | null;
  /** Formats an instant as a time on the clinic's clock. */
  timeOf: (instant: string) => string;
}

/** A line of the call list: a person who must be told. Only the current line shows its buttons. */
export function CallRow({ line, said, list, planB, sameNumber, timeOf }: RowProps) {
  const key = lineKey(line);
  const current = list.current === key;
  const panel = `call-${key}`;
  return (
    <li
      className={css.line}
      data-line={key}
      data-current={current || undefined}
      data-urgent={line.urgent || undefined}
      data-waits={line.after.length > 0 || undefined}
      aria-busy={list.leaving.has(key) || undefined}
    >
      <span className={css.first}>
        <b>{firstWords(line.first)}</b>
        {line.urgent ? (
          <span className="alarm small">
            <Icon name="warn" />
            Now
          </span>
        ) : null}
      </span>
      <div className={css.who}>
        <div className={css.name}>
          <h2>
            <button
              type="button"
              aria-expanded={current}
              aria-controls={current ? panel : undefined}
              onClick={() => list.choose(key)}
              onFocus={() => {
                if (!current) list.choose(key);
              }}
            >
              {whoWords(line)}
            </button>
          </h2>{' '}
          {line.call === 'family' ? null : (
            <Chip tone={line.call === 'ask' ? 'need' : undefined}>{kindWords(line)}</Chip>
          )}
        </div>
        <Contacts line={line} all={current} />
      </div>
      <div className={css.words}>
        <div className={css.said}>
          <SpokenWords line={line} said={said} current={current} />
        </div>
        {planB && current ? <p className={css.planB}>{isolated(planB.words)}</p> : null}
        {line.waits_for.map((words) => (
          <p key={words} className={css.again}>
            <Icon name="warn" /> {planFirstWords(isolated(words))}
          </p>
        ))}
        <Again line={line} timeOf={timeOf} />
        <Attempts line={line} list={list} timeOf={timeOf} />
      </div>
      <State line={line} current={current} planB={current ? undefined : planB} sameNumber={sameNumber} />
      {current ? (
        list.asking === key ? (
          <NoScope id={panel} line={line} list={list} />
        ) : list.before && line.after.length > 0 ? (
          <BeforeYes id={panel} line={line} list={list} go={list.before.go} />
        ) : list.changing === key ? (
          <ChooseOther id={panel} line={line} list={list} />
        ) : (
          <Acts id={panel} line={line} list={list} />
        )
      ) : null}
    </li>
  );
}

/** Who else could do it, what the line waits for, who has the same number, and whether the person is in the building. */
function State({
  line,
  current,
  planB,
  sameNumber,
}: Pick<RowProps, 'line' | 'planB' | 'sameNumber'> & { current: boolean }) {
  const wait = waitWords(line);
  return (
    <ul className={css.state}>
      {planB ? <li className={css.planB}>{isolated(planB.words)}</li> : null}
      {wait === null ? null : (
        <li>
          <Icon name="clock" /> {wait}
        </li>
      )}
      {sameNumber === null ? null : <li>{sameNumber}</li>}
      {line.here ? (
        <li>
          <Icon name="check" /> here
        </li>
      ) : null}
      {current ? (
        <li>
          <Link to={personPath(line.kind, line.id)}>
            Week and team<span className="sr"> of {line.name}</span>
          </Link>
        </li>
      ) : null}
    </ul>
  );
}

/** How to reach the person, best way first. Without a telephone number, also links to the profile. */
function Contacts({ line, all }: { line: CallLine; all: boolean }) {
  const reachable = line.contacts.filter((contact) => contact.dial !== null || contact.email !== '');
  return (
    <>
      {reachable.some((contact) => contact.dial !== null) ? null : (
        <Link to="/profiles" search={{ kind: `${line.kind}s`, id: line.id }} className="small">
          no number<span className="sr"> for {whoWords(line)}: open the profile</span>
        </Link>
      )}
      {reachable.length === 0 ? null : (
        <ul className={css.contacts}>
          {(all ? reachable : reachable.slice(0, 1)).map((contact) => (
            <li key={`${contact.name} ${contact.phone} ${contact.email}`}>
              <Reach contact={contact} written={line.written} />{' '}
              <span className="small muted">{contactWords(contact, line)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/**
 * Links to call and text the contact, and an email link if the contact prefers email or has no number. What is written
 * begins with the words of a message, in the contact's language.
 */
function Reach({ contact, written }: { contact: Contact; written: CallLine['written'] }) {
  const { name, dial, phone, email, preferred, language } = contact;
  const body = written ? `?body=${encodeURIComponent(written[languageOf(language)])}` : '';
  const mail = email !== '' && (dial === null || preferred === 'email');
  return (
    <span className={css.reach}>
      {mail ? <a href={`mailto:${email}${body}`}>{email}</a> : null}
      {dial === null ? null : (
        <>
          <a href={`tel:${dial}`}>{phone}</a>
          <a href={`sms:${dial}${body}`} className="small">
            Text<span className="sr"> {name}</span>
          </a>
        </>
      )}
    </span>
  );
}

function Again({ line, timeOf }: Pick<RowProps, 'line' | 'timeOf'>) {
  if (!line.again) return null;
  return (
    <p className={css.again}>
      <Icon name="undo" /> {heardWords(line.again, timeOf(line.again.at))}: <s>{isolated(line.again.was)}</s>{' '}
      <span aria-hidden="true">→</span> now {isolated(line.again.now)}
    </p>
  );
}

function Attempts({ line, list, timeOf }: Omit<RowProps, 'said' | 'planB' | 'sameNumber'>) {
  // The family was told about a cancelled session, but not about the changes that are still on the line.
  const told = line.answers.findLast((each) => each.answer === 'told');
  if (line.answers.length === 0 && !line.ringing && line.seen_at === null && line.message === null) return null;
  return (
    <ul className={css.attempts}>
      {line.ringing ? (
        <li className={css.ringing}>
          <Chip tone="ok" icon="person">
            {line.ringing.mine ? 'You are ringing' : `${line.ringing.by} is ringing`}
          </Chip>
        </li>
      ) : null}
      {line.message === null ? null : (
        <li className={isTrouble(line.message) ? 'alarm' : undefined}>
          <b>{messageWords(line.message)}</b> {timeOf(line.message.at)}
          {line.message.fault === null ? '' : `: ${line.message.fault}`}
        </li>
      )}
      {line.seen_at === null ? null : (
        <li>
          <b>seen</b> {`${timeOf(line.seen_at)}, on their own page`}
        </li>
      )}
      {line.answers.map((each) => (
        <li key={each.at}>
          <b>{resultWords(each)}</b> {timeOf(each.at)}, {recordedWords(each)}
          {each === told ? <NotTold person={line} result={each.result} what={each.note} list={list} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Acts({ id, line, list }: { id: string; line: CallLine; list: CallListState }) {
  const other = line.ringing !== null && !line.ringing.mine;
  const family = line.kind === 'client' ? cancelableIn(line.sessions) : [];
  const by = line.ring_by;
  return (
    <div data-writes className={css.acts} id={id} role="group" aria-label={`Result of the call: ${whoWords(line)}`}>
      {ANSWERS.map(({ key, answer, label }) => (
        <Button
          key={key}
          variant={answer === 'told' ? 'primary' : 'default'}
          aria-keyshortcuts={key}
          single
          onClick={() => (answer === 'said-no' ? list.askNo(lineKey(line)) : void list.answer(line, answer))}
        >
          <kbd aria-hidden="true">{key}</kbd>
          {answer === 'told' && line.call === 'ask' ? 'Said yes' : label}
        </Button>
      ))}
      <PlainInput
        className={css.note}
        aria-label={`Note: ${whoWords(line)}`}
        placeholder="Note"
        maxLength={500}
        value={list.note}
        onChange={(event) => list.setNote(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault(); // without this line, Enter would press the button that gets the focus
          list.focusCurrent();
        }}
      />
      <Button variant="ghost" aria-keyshortcuts="r" single onClick={() => void list.ring(line)}>
        <kbd aria-hidden="true">r</kbd>
        {line.ringing?.mine ? 'Stop ringing' : other ? 'Take over' : 'Ring this one'}
      </Button>
      {needsPlan(line) ? (
        <Button variant="ghost" aria-keyshortcuts="o" single onClick={list.toOptions}>
          <kbd aria-hidden="true">o</kbd>
          See options
        </Button>
      ) : null}
      {choosableIn(line).length > 0 ? (
        <Button variant="ghost" aria-keyshortcuts="e" single onClick={() => list.askOther(lineKey(line))}>
          <kbd aria-hidden="true">e</kbd>
          Choose someone else
        </Button>
      ) : null}
      {family.map((together) => (
        <Button key={together[0].key} variant="ghost" single onClick={() => void list.cancel(line, together)}>
          <Icon name="slash" />
          {together[0].has_therapist ? 'They would rather cancel' : 'Cancel'} {windowWords(together[0])}
        </Button>
      ))}
      {by === null ? null : (
        <Button variant="ghost" single onClick={() => void list.ringAgain(line, by)}>
          <Icon name="clock" />
          Ring again by {clockTime(parseTime(by) ?? 0)}
        </Button>
      )}
    </div>
  );
}
