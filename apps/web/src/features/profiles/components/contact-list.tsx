import type { Contact } from '@clinic/contract';
import { FIELD_LABELS as LABELS } from '../../../shared/field-labels.ts';
import { contactNotes } from '../contacts.ts';
import css from './contacts.module.css';

/** A person's contacts, in the order in which to try them, with links to call or write. */
export function ContactList({ contacts }: { contacts: readonly Contact[] }) {
  return (
    <>
      <h3>{LABELS.contacts}</h3>
      {contacts.length === 0 ? (
        <p className="muted">No contacts yet.</p>
      ) : (
        <ol className={css.contacts} aria-label={LABELS.contacts}>
          {contacts.map((contact, i) => (
            <li key={i} className={css.contact}>
              <p>
                <b>{contact.name}</b>
                {contact.relation ? <span className="muted"> {contact.relation}</span> : null}
              </p>
              <p className={css.ways}>
                {contact.dial ? (
                  <a href={`tel:${contact.dial}`}>
                    <span className="sr">Call </span>
                    {contact.phone}
                  </a>
                ) : (
                  contact.phone
                )}
                {contact.email ? (
                  <a href={`mailto:${encodeURIComponent(contact.email).replace('%40', '@')}`}>
                    <span className="sr">Email </span>
                    {contact.email}
                  </a>
                ) : null}
              </p>
              <p className="small muted">{contactNotes(contact)}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
