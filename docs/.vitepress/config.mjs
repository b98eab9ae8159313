import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { readContents } from '../../scripts/docs/contents.mjs'

const contents = readContents(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))
const { version, repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const firstOf = (title) => `/${contents.find((section) => section.title === title).pages[0].path}`

/** Pages that are one table with long cells. */
const WIDE = ['porch.md', 'kpt.md', 'package-managers.md', 'seed-rules.md']

/** Two braces in code are what they are, not an expression of the generator. */
function keepBraces(rules) {
  const render = rules.code_inline
  rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '')
    return render(tokens, index, ...rest)
  }
}

export default defineConfig({
  title: 'krm-variants',
  description: 'One package, hundreds of clusters: PackageVariantSets turned into package variants in git, before anything is applied',
  lang: 'en',
  srcDir: '../site/pages',
  outDir: '../site/html',
  cacheDir: '../site/cache',
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/mark.svg' }]],
  transformPageData: ({ relativePath, frontmatter }) =>
    WIDE.includes(relativePath) ? { frontmatter: { ...frontmatter, aside: false, pageClass: 'wide' } } : undefined,
  markdown: { config: (markdown) => keepBraces(markdown.renderer.rules) },
  themeConfig: {
    logo: '/mark.svg',
    nav: [
      ...['Begin', 'Functions', 'Commands', 'Recipes', 'Reference'].map((title) => ({ text: title, link: firstOf(title) })),
      { text: `v${version}`, link: `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/CHANGELOG.md` },
    ],
    sidebar: contents.map(({ title, pages }) => ({
      text: title,
      collapsed: false,
      items: pages.map((page) => ({ text: page.title, link: `/${page.path}` })),
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    footer: { message: 'Apache-2.0' },
  },
})
