import { DAY_START, formatTime } from '@clinic/domain';

/**
 * Reads a window at the end of the typed text: `camila 7-10`, `camila 7am-1:30pm`, `camila from 1pm`, `camila to 10`.
 * Hours without AM or PM mean times between 7 AM and 7 PM. If the end would not be after the start, it is taken to be
 * 12 hours later.
 */
export function parseWindow(typed: string): { rest: string; window: { startTime: string; endTime: string } } | null {
  const time = String.raw`(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?m?\.?`;
  const both = new RegExp(String.raw`^(.*?)\s+${time}\s*(?:-|–|to)\s*${time}$`, 'i').exec(typed.trim());
  if (both) {
    const start = minutesOf(both[2], both[3], both[4]);
    let end = minutesOf(both[5], both[6], both[7]);
    if (start === null || end === null) return null;
    if (end <= start && both[7] === undefined && end + 720 <= 1440) end += 720;
    return end > start
      ? { rest: both[1] ?? '', window: { startTime: formatTime(start), endTime: formatTime(end) } }
      : null;
  }
  const one = new RegExp(String.raw`^(.*?)\s+(from|to|until)\s+${time}$`, 'i').exec(typed.trim());
  if (!one) return null;
  const at = minutesOf(one[3], one[4], one[5]);
  if (at === null) return null;
  const window =
    one[2]?.toLowerCase() === 'from'
      ? { startTime: formatTime(at), endTime: '23:59' }
      : { startTime: '00:00', endTime: formatTime(at) };
  return { rest: one[1] ?? '', window };
}

function minutesOf(hour: string | undefined, minute: string | undefined, half: string | undefined): number | null {
  const h = Number(hour);
  const m = Number(minute ?? 0);
  if (m > 59 || h > 23) return null;
  if (half !== undefined) return h < 1 || h > 12 ? null : ((h % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + m;
  return (h >= 1 && h * 60 < DAY_START ? h + 12 : h) * 60 + m;
}
