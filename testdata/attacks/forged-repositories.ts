import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { DRY_RUN, type HostileRepository } from './hostile-repositories.ts'
import { MODES, RawRepository } from './raw-repository.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n'

/** Repositories whose objects are not what their names say, or are more than anybody can read. */
export const FORGED: readonly HostileRepository[] = [
  {
    what: 'a commit that another one replaces (refs/replace)',
    arrange: (place) => {
      place.makeCatalog()
      const first = place.git(place.catalog, 'rev-parse', 'HEAD')
      place.write('catalog/upf/smuggled.txt', 'x\n')
      place.git(place.catalog, 'add', '--all')
      place.git(place.catalog, 'commit', '--quiet', '--message', 'second')
      place.git(place.catalog, 'replace', first, 'HEAD')
      place.options(`{git: {repo: ${place.catalog}}}`)
      return { args: [...DRY_RUN, '--diff'] }
    },
    exitCode: 2,
    says: /^(?![\s\S]*smuggled)[\s\S]*edge\/upf/,
  },
  {
    what: 'a file whose object has other bytes than its name says',
    arrange: (place) => {
      place.makeCatalog()
      const id = place.git(place.catalog, 'rev-parse', 'HEAD:upf/Kptfile')
      const object = join(place.catalog, '.git/objects', id.slice(0, 2), id.slice(2))
      const bytes = KPTFILE.replace('upf', 'upx')
      chmodSync(object, 0o644)
      writeFileSync(object, deflateSync(`blob ${bytes.length}\0${bytes}`))
      place.options(`{git: {repo: ${place.catalog}}}`)
    },
    exitCode: 1,
    says: /Kptfile: error: `path` must have its content in the repository, object [0-9a-f]{40} of [0-9a-f]{40} is damaged \[tree-entry\]/,
  },
  {
    what: 'a million files of a hundred objects',
    arrange: (place) => {
      const raw = new RawRepository(place.catalog)
      const names = Array.from({ length: 10 }, (_, n) => `${n}`.repeat(90))
      const { id } = raw.file('x')
      const level = (below: string, mode: string) => raw.tree(names.map((name) => ({ name, mode, id: below })))
      let top = level(id, MODES.file)
      for (let depth = 1; depth < 6; depth++) top = level(top, MODES.folder)
      raw.release('upf/v1', [raw.folder('upf', [raw.file('Kptfile', KPTFILE), { mode: MODES.folder, name: 'a', id: top }])])
      place.options(`{git: {repo: ${place.catalog}}}`)
    },
    exitCode: 1,
    says: /`spec\.upstream\.repo` cannot be read: git ls-tree: its output must have at most 268435456 bytes, has more/,
  },
  {
    what: 'a file of resources that no text can hold',
    arrange: (place) => {
      place.write('fleet/catalog/upf@v1/Kptfile', KPTFILE)
      place.write('fleet/catalog/upf@v1/large.yaml', '')
      place.write('fleet/.krmignore', 'catalog\n')
      truncateSync(join(place.fleet, 'catalog/upf@v1/large.yaml'), 600 * 1024 * 1024)
    },
    exitCode: 1,
    says: /large\.yaml: expected at most 268435456 bytes, found 629145600/,
  },
  {
    what: 'options that write into the folder of git',
    arrange: (place) => {
      place.write('fleet/catalog/upf@v1/Kptfile', KPTFILE)
      place.options('{}', '  out: .git/modules\n')
      place.commitAll(place.fleet)
      return { args: ['render', 'fleet'] }
    },
    exitCode: 1,
    says: /'fleet\/\.git\/modules' must be a folder for the packages, not within \.git/,
  },
]
