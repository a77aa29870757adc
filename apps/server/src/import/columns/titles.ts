const CREDENTIAL = String.raw`(?:RBT|BT|BCBA(?:-?D)?|BCaBA|LBA)[®™]?`;
const DEGREE = String.raw`(?:M\.?S\.?|M\.?A\.?|M\.?Ed\.?|Ph\.?D\.?)`;
/** A credential after a name, or a degree that a comma or a bracket sets apart: `Ma` is a last name as well. */
const TITLE = new RegExp(String.raw`[ ,-]{1,4}[([]?${CREDENTIAL}[)\]]?$|,? ?[([]${DEGREE}[)\]]$|, ?${DEGREE}$`);

const LONGEST_NAME = 200;

/** The name without credentials and degrees behind it, as in `Ana Ruiz, M.S., BCBA` and `Ruiz, Ana (RBT)`. */
export function withoutTitles(name: string): string {
  let bare = name.trim();
  if (bare.length > LONGEST_NAME) return bare;
  for (let next = bare.replace(TITLE, ''); next !== bare; next = bare.replace(TITLE, '')) bare = next.trim();
  return bare;
}
