import { expect, test } from 'vitest';
import { createEventParser } from './live-events.ts';

test('however the stream is split into chunks, whole events are read and broken events are skipped', () => {
  const stream = ': hello\n\nevent: change\ndata: {"kind":"commit"}\n\ndata: {"a":\r\ndata: 1}\r\n\r\ndata: broken\n\n';
  for (let size = 1; size < 20; size++) {
    const heard: unknown[] = [];
    const feed = createEventParser((value) => heard.push(value));
    for (let at = 0; at < stream.length; at += size) feed(stream.slice(at, at + size));
    expect(heard).toEqual([{ kind: 'commit' }, { a: 1 }]);
  }
});
