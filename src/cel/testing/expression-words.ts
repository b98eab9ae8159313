// What random expressions are made of, below their grammar.
export const VARIABLES = ['target', 'repository', 'upstream', 'repoDefault', 'packageDefault']
export const FIELDS = ['name', 'namespace', 'labels', 'annotations', 'env', 'region', 'tier', 'nope', 'constructor', 'package']
export const WORDS = [
  '',
  'a',
  'prod',
  'env',
  'name',
  'us-east1',
  'é',
  '😀',
  '042',
  '-7',
  '1.5',
  'true',
  '2020-01-02T03:04:05Z',
  '90s',
  'UTC',
  '__proto__',
]
export const PATTERNS = ['^a', 'a+', '[a-z]+-[0-9]+$', '(a|b)*', '.', '\\\\d{2}', '(?i)PROD', '[', 'a**', '\\\\bprod\\\\b']
export const NAMES = ['x', 'y', 'k', 'target', 'int']
/** Expressions with the variable of a macro, written `§`. */
export const TESTS = [
  "§ == 'a'",
  '§ > 1',
  'size(§) == 1',
  '§ in [1, 2]',
  "target.labels[§] == 'gold'",
  "§.startsWith('r')",
  '1 / § == 1',
  '§',
  'true',
]
export const EXAMPLE_VALUES = ['§', "§ + '!'", '§ * 2', 'string(§)', '[§]', '{§: §}', 'target.labels[§]', 'dyn(§)', '§.x']
export const GETTERS = [
  'getFullYear',
  'getMonth',
  'getDayOfYear',
  'getDate',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]
export const NOISE = [
  '',
  ' ',
  '.',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  '?',
  ':',
  '&&',
  '!',
  '-',
  '"',
  "'",
  '\\',
  '`',
  '$',
  '//',
  '\n',
  'in',
  'as',
  '1e',
  '0x',
]
