const notes =
  /\b(?:TODO|FIXME|XXX|TBD)\b|\bunimplemented\b|\bnot (?:yet )?(?:been )?implemented\b|\bimplement(?:ation)? (?:this|me|it|here|later|needed|required|goes)\b|\b(?:your|actual|real|the) (?:code|logic|implementation)(?: goes)? here\b|\bplaceholder\b|\bfill (?:this|me|it)? ?in\b|\bcoming soon\b/i;

/** Whether a comment or message says that code is still to be written. */
export function isUnwritten(text: string): boolean {
  return notes.test(text);
}

/** Whether a message says that a subclass has to do it, which is how base classes without `abc` declare a method. */
export function saysSubclass(text: string): boolean {
  return /\bsubclass|\bderived class|\boverrid|\babstract\b|\bmust (?:be )?implement|\bimplemented (?:by|in)\b|\bshould implement\b/i.test(
    text,
  );
}
