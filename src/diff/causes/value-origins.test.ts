import { expect, test } from 'vitest'
import { stepsOfField } from './value-origins.ts'

const VALUE = {
  metadata: { labels: { 'app.kubernetes.io/name': 'web' } },
  spec: { containers: [{ name: 'till', image: 'till:1' }], ports: [80, 443] },
}

test.each([
  ['spec.containers[till].image', ['spec', 'containers', { name: 'till' }, 'image']],
  ['spec.containers[0].image', ['spec', 'containers', { name: 'till' }, 'image']],
  ['spec.ports[1]', ['spec', 'ports', 1]],
  ['metadata.labels.app.kubernetes.io/name', ['metadata', 'labels', 'app.kubernetes.io/name']],
  ['', []],
])('the field %j has its steps', (text, steps) => {
  expect(stepsOfField(VALUE, text)).toEqual({ steps })
})

test.each([
  ['spec.container', 'container', 'spec', ['containers', 'ports']],
  ['spec.containers[till].imag', 'imag', 'spec.containers[till]', ['name', 'image']],
  ['spec.containers[web].image', 'web', 'spec.containers', ['[till]']],
  ['spec.containers.image', 'image', 'spec.containers', ['[till]']],
  ['spec.ports[2]', '2', 'spec.ports', ['[0]', '[1]']],
  ['metadata.labels.app', 'app', 'metadata.labels', ['app.kubernetes.io/name']],
])('the field %j is not there, and the names beside it are known', (text, unknown, above, known) => {
  expect(stepsOfField(VALUE, text)).toEqual({ unknown, above, known })
})
