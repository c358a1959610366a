// Keeping a snapshot within a number of characters, and saying what was left out.
//
// The shape of a page is worth more than the thousandth row: the same limit on the number of children is set for
// every container, as high as the budget allows, and where it cuts, a line tells how many of what are missing. A page
// that is too big even so is cut at its end.

const FEWEST_CHILDREN = 3;

function withinBudget(lines, budget) {
  if (budget === null || sizeOf(lines) <= budget) return { lines, leftOut: 0 };
  let low = FEWEST_CHILDREN;
  let high = lines.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(limitChildren(lines, middle)) <= budget) low = middle;
    else high = middle - 1;
  }
  const kept = cutAtEnd(limitChildren(lines, low), budget);
  return { lines: kept, leftOut: lines.length - kept.filter(line => line.key !== '…').length };
}

function sizeOf(lines) {
  let size = 0;
  for (const { depth, line } of lines) size += 2 * depth + line.length + 4;
  return size;
}

// The first `limit` children of every container, and a line for the rest.
function limitChildren(lines, limit) {
  const kept = [];
  const counts = [];     // children seen so far, by depth
  let skipping = null;   // { depth, count, role } of the siblings that are being left out
  const close = () => {
    if (skipping) kept.push(note(skipping.depth, `${skipping.count} more (${skipping.role})`));
    skipping = null;
  };
  for (const line of lines) {
    if (skipping && line.depth > skipping.depth) continue;
    if (skipping && line.depth < skipping.depth) close();
    counts.length = line.depth + 1;
    const count = counts[line.depth] = (counts[line.depth] || 0) + 1;
    if (count <= limit) {
      kept.push(line);
      continue;
    }
    if (skipping) skipping.count++;
    else skipping = { depth: line.depth, count: 1, role: roleOfLine(line.line) };
  }
  close();
  return kept;
}

// A line that stands for others, and is none of the page's.
function note(depth, text) {
  return { depth, key: '…', line: `… ${text}`, ref: null };
}

function roleOfLine(line) {
  return /^'?([^\s:'"]+)/.exec(line)[1];
}

function cutAtEnd(lines, budget) {
  if (sizeOf(lines) <= budget) return lines;
  let size = 24;  // the note's own
  for (let i = 0; i < lines.length; i++) {
    size += 2 * lines[i].depth + lines[i].line.length + 4;
    if (size > budget) {
      return [...lines.slice(0, i), note(0, `${lines.length - i} more lines`)];
    }
  }
  return lines;
}
