import { expect, test } from 'vitest'
import { readOnceEach } from './plan-state.ts'

test('each name is found and each package is read once, also where it is not there', () => {
  const asked: string[] = []
  const source = readOnceEach({
    commits: (repository, names) => {
      asked.push(`${repository} ${names.join(' ')}`)
      return names.map(() => undefined)
    },
    tags: () => [],
    packages: () => [],
    folder: (repository, commit, folder) => {
      asked.push(`${repository} ${commit} ${folder}`)
      return undefined
    },
  })
  for (let i = 0; i < 2; i++) {
    source.commits('web.git', ['v1'])
    source.commits('web.git', ['v2'])
    source.folder('web.git', 'c1', 'web')
    source.folder('web.git', 'c1', 'db')
  }
  expect(asked).toEqual(['web.git v1', 'web.git v2', 'web.git c1 web', 'web.git c1 db'])
})
