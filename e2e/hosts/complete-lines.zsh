# Prints what zsh makes of each line when Tab is pressed behind it: zsh -f complete-lines.zsh FOLDER LINE…
# FOLDER holds the function of the completion, as a folder of fpath does.
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PROMPT=; fpath=(${(q)1} \$fpath); autoload -U compinit; compinit -u -D
shown() { print -r -- \"@\"\"@\$BUFFER%\"\"%\" }; zle -N shown; bindkey '^X' shown; bindkey '^I' complete-word; print rea''dy"
zpty -r -m shell said '*ready*'
for line in "${@:2}"; do
  zpty -w -n shell "$line"$'\t'$'\C-x'
  zpty -r -m shell said '*@@*%%*'
  print -r -- "${${said##*@@}%%\%\%*}"
  zpty -w -n shell $'\C-u'
done
zpty -d shell
