import { MISSING, MODES, type RawEntry, type RawRepository } from './raw-repository.ts'

/** A package in git that must not be rendered. */
export interface HostileTree {
  readonly what: string
  /** The entries of the package beside its Kptfile. */
  readonly entries: (raw: RawRepository) => readonly RawEntry[]
  /** The path below the package, as the message prints it. */
  readonly path: string
  readonly rule: 'unsafe-path' | 'path-collision' | 'tree-entry'
}

type Row = readonly [string, string, (raw: RawRepository) => readonly RawEntry[]]

/** A file in folders, each of them a tree of its own. */
function nested(raw: RawRepository, path: readonly string[]): RawEntry {
  const [name = '', ...rest] = path
  return rest.length === 0 ? raw.file(name) : raw.folder(name, [nested(raw, rest)])
}

const one =
  (...path: readonly string[]) =>
  (raw: RawRepository) => [nested(raw, path)]

const UNSAFE: readonly Row[] = [
  ['a name that leads out of the package', '../escaped.yaml', one('../escaped.yaml')],
  ['a folder named ..', '../escaped.yaml', one('..', 'escaped.yaml')],
  ['a name that leads out of every folder', '../../../../../escaped.yaml', one('../../../../../escaped.yaml')],
  ['a way out behind a folder', 'sub/../../escaped.yaml', one('sub', '..', '..', 'escaped.yaml')],
  ['a folder named .', './a.yaml', one('.', 'a.yaml')],
  ['an absolute name', '/escaped.yaml', one('/escaped.yaml')],
  ['an absolute name of Windows', 'C:/escaped.yaml', one('C:', 'escaped.yaml')],
  ['a name with an empty part', 'a//b.yaml', one('a//b.yaml')],
  [
    'a hook of git',
    '.git/hooks/post-checkout',
    (raw) => [raw.folder('.git', [raw.folder('hooks', [raw.file('post-checkout', '#!/bin/sh\n', MODES.executable)])])],
  ],
  ['a hook of git, in one name', '.git/hooks/post-checkout', one('.git/hooks/post-checkout')],
  ['the settings of a repository in a subpackage', 'sub/.git/config', one('sub', '.git', 'config')],
  ['.git in large letters', '.GIT/config', one('.GIT', 'config')],
  ['.git in mixed letters, a file', '.Git', one('.Git')],
  ['the short name of .git', 'git~1/config', one('git~1', 'config')],
  ['the short name of .git in large letters', 'GIT~1', one('GIT~1')],
  ['.git with a code point that HFS+ passes over', '.g\\u200cit/config', one('.g\u200cit', 'config')],
  ['.git behind a byte order mark', '\\ufeff.git/config', one('\ufeff.git', 'config')],
  ['.git with a blank behind', '.git /config', one('.git ', 'config')],
  ['.git with a dot behind', '.git./config', one('.git.', 'config')],
  ['.git with its stream', '.git::$INDEX_ALLOCATION/config', one('.git::$INDEX_ALLOCATION', 'config')],
  ['a way out with a backslash', '..\\\\escaped.yaml', one('..\\escaped.yaml')],
  ['a backslash in a name', 'a\\\\b.yaml', one('a\\b.yaml')],
  ['a bell in a name', 'a\\u0007.yaml', one('a\u0007.yaml')],
  ['an escape sequence in a name', '\\u001b[2Ja.yaml', one('\u001b[2Ja.yaml')],
  ['a C1 control character in a name', '\\u009b2Ja.yaml', one('\u009b2Ja.yaml')],
  ['a newline in a name', 'a\\n::error::b.yaml', one('a\n::error::b.yaml')],
  ['dots alone', '.../a.yaml', one('...', 'a.yaml')],
  ['a file of the tool in the making', 'a.krm-variants-new', one('a.krm-variants-new')],
  ['a folder of the tool on its way out', 'sub.krm-variants-old/a.yaml', one('sub.krm-variants-old', 'a.yaml')],
  ['a name that is no UTF-8', 'a\\xff.yaml', (raw) => [raw.file(Buffer.from('a\xff.yaml', 'latin1'))]],
  ['a name that no file system takes', 'x'.repeat(256), one('x'.repeat(256))],
  ['a link in the place of .git', '.git', (raw) => [raw.file('.git', '/', MODES.link)]],
  ['a name that looks like a record of ls-tree', '', (raw) => [raw.file(`a\n100644 blob ${raw.blob('hostile\n')}\t../escaped.yaml`)]],
]

const COLLISIONS: readonly Row[] = [
  ['a name twice', 'a.yaml', (raw) => [raw.file('a.yaml', 'one\n'), raw.file('a.yaml', 'two\n')]],
  ['a file that is a folder, too', 'sub/a.yaml', (raw) => [raw.file('sub'), raw.folder('sub', [raw.file('a.yaml')])]],
  ['a folder twice, once as a file', 'sub', (raw) => [raw.folder('sub', [raw.file('a.yaml')]), raw.file('sub')]],
  ['two files that differ in case', 'a.yaml', (raw) => [raw.file('A.yaml'), raw.file('a.yaml')]],
  [
    'two folders that differ in case',
    'sub/b.yaml',
    (raw) => [raw.folder('Sub', [raw.file('a.yaml')]), raw.folder('sub', [raw.file('b.yaml')])],
  ],
  [
    'a link and a folder that differ in case',
    'sub',
    (raw) => [raw.folder('Sub', [raw.file('a.yaml')]), raw.file('sub', '../..', MODES.link)],
  ],
  ['two files that differ in their Unicode form', 'caf\\u00e9.yaml', (raw) => [raw.file('cafe\u0301.yaml'), raw.file('caf\u00e9.yaml')]],
  ['two files that differ in a joiner', 'a\\u200d.yaml', (raw) => [raw.file('a.yaml'), raw.file('a\u200d.yaml')]],
  ['two files that differ in a dot behind', 'a.yaml.', (raw) => [raw.file('a.yaml'), raw.file('a.yaml.')]],
  ['two Kptfiles that differ in case', 'kptfile', one('kptfile')],
  ['a package context beside the one that is made', 'package-context.yaml', one('Package-Context.yaml')],
]

const ENTRIES: readonly Row[] = [
  ['a submodule', 'sub', () => [{ mode: MODES.submodule, name: 'sub', id: MISSING }]],
  [
    'a submodule whose name looks like the record of a file',
    '',
    (raw) => [{ mode: MODES.submodule, name: `a 100644 blob ${raw.blob('hostile\n')}\t../../../escaped.yaml`, id: MISSING }],
  ],
  ['the mode of a pipe', 'pipe', (raw) => [raw.file('pipe', 'hostile\n', '10644')]],
  ['the mode of a device', 'device', (raw) => [raw.file('device', 'hostile\n', '60644')]],
  ['no mode', 'none', (raw) => [raw.file('none', 'hostile\n', '0')]],
  ['a file whose content is missing', 'a.yaml', () => [{ mode: MODES.file, name: 'a.yaml', id: MISSING }]],
  ['a file whose content is a folder', 'a.yaml', (raw) => [{ mode: MODES.file, name: 'a.yaml', id: raw.tree([raw.file('b.yaml')]) }]],
]

function rows(rule: HostileTree['rule'], table: readonly Row[]): readonly HostileTree[] {
  return table.map(([what, path, entries]) => ({ what, path, rule, entries }))
}

/** Trees that no checkout of git would make, or that only some file systems hold. */
export const HOSTILE_TREES = [...rows('unsafe-path', UNSAFE), ...rows('path-collision', COLLISIONS), ...rows('tree-entry', ENTRIES)]
