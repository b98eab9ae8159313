/** Returns a word as a shell reads the word back: in quotes where the shell would read more than a word. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Returns a path as an argument of a command in a shell: a path that begins with '-' is no option. */
export function shellPath(path: string): string {
  return shellWord(path.startsWith('-') ? `./${path}` : path)
}

/** Returns a pattern of paths as an argument for a shell, which reads each star. */
export function shellPattern(pattern: string): string {
  const [first = '', ...others] = pattern.split('*')
  const quoted = (part: string) => (part === '' ? '' : shellWord(part))
  return [first === '' ? '' : shellPath(first), ...others.map(quoted)].join('*')
}
