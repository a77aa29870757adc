/**
 * Finds circles of imports. Every file that lies on a circle is in at least one of the returned circles.
 * @param {Map<string, readonly string[]>} targets the imports of each file; imports that are not keys are ignored
 * @returns {string[][]} each circle in the order of its imports; its first file is repeated at the end
 */
export function circlesIn(targets) {
  const circles = [];
  const done = new Set();
  for (const start of [...targets.keys()].sort()) {
    if (done.has(start)) continue;
    const circle = shortestBackTo(start, targets);
    if (!circle) continue;
    circles.push(circle);
    for (const file of circle) done.add(file);
  }
  return circles;
}

/** The shortest circle through a file; undefined if the file is on no circle. */
function shortestBackTo(start, targets) {
  const cameFrom = new Map();
  const waiting = [start];
  for (const file of waiting) {
    for (const target of targets.get(file) ?? []) {
      if (target === start) return wayTo(file, cameFrom, start).concat(start);
      if (cameFrom.has(target) || !targets.has(target)) continue;
      cameFrom.set(target, file);
      waiting.push(target);
    }
  }
  return undefined;
}

function wayTo(file, cameFrom, start) {
  const way = [];
  for (let at = file; at !== start; at = cameFrom.get(at)) way.unshift(at);
  return [start, ...way];
}
