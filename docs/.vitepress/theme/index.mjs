// The fonts of the reader's system: the site asks no other host for anything.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default DefaultTheme
