import { expect, test } from 'vitest'
import type { ChangeGroup, DiffReport } from '../../src/diff/report.ts'
import { diffPage } from './diff-page.ts'

function reportWith(group: Partial<ChangeGroup>): DiffReport {
  const whole: ChangeGroup = {
    id: 'a',
    op: 'change',
    objects: [],
    fields: [],
    causes: [],
    dangers: [],
    clusters: 1,
    places: [{ cluster: 'north', package: 'north/web' }],
    ...group,
  }
  return {
    from: { name: 'HEAD' },
    to: { name: 'working tree' },
    packagesAre: 'rendered',
    counts: { packages: 1, changed: 1, local: 0, clusters: 1, groups: 1 },
    groups: [whole],
    dangers: [],
    images: [],
    packages: [],
    results: [],
  }
}

test('hostile names open no tag and reorder no text; the lines of texts stay lines', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: '</script><img src=x onerror=alert(1)>\u202e',
    before: 'a: 1\n',
    after: 'a: 2\n',
  }
  const page = diffPage(reportWith({ objects: [object] }))
  expect(page).not.toContain('<img')
  expect(page).not.toContain('\u202e')
  expect(page).toContain('"before":"a: 1\\n"')
})
