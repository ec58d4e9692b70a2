package escape

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// LaTeX escapes one line of text for LaTeX. The output is ASCII and needs no package and no font encoding
// beyond LaTeX's own. A character without a command is written as its code point, [U+4E2D].
func LaTeX(s string) string {
	var b strings.Builder
	open := false // inside quotation marks
	last := rune(0)
	for _, r := range Plain(s) {
		if r == last && (r == '-' || r == '\'') {
			b.WriteString("{}") // else they join to a dash or a quotation mark
		}
		last = r
		if r == '"' {
			b.WriteString(map[bool]string{false: "``", true: "''"}[open])
			open = !open
			continue
		}
		b.WriteString(latexOf(r))
	}
	return b.String()
}

// IsLaTeX reports whether LaTeX has a command for every letter of a text.
func IsLaTeX(s string) bool {
	return !strings.ContainsFunc(Plain(s), func(r rune) bool { return strings.HasPrefix(latexOf(r), "{[}U+") })
}

func latexOf(r rune) string {
	if text, ok := latexText[r]; ok {
		return text
	}
	if text, ok := latexMath[r]; ok {
		return "$" + text + "$"
	}
	if r < unicode.MaxASCII {
		return string(r)
	}
	if text, ok := accented(r); ok {
		return text
	}
	return fmt.Sprintf("{[}U+%04X{]}", r)
}

// accented returns the command for a Latin letter with one accent.
func accented(r rune) (string, bool) {
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) != 2 || parts[0] > unicode.MaxASCII || !unicode.IsLetter(parts[0]) {
		return "", false
	}
	accent, ok := latexAccents[parts[1]]
	if !ok {
		return "", false
	}
	letter := string(parts[0])
	if dotless := strings.Index("ij", letter); dotless >= 0 && accent != "c" && accent != "d" && accent != "b" {
		letter = `\` + letter
	}
	return `\` + accent + "{" + letter + "}", true
}

var latexAccents = map[rune]string{
	'\u0300': "`", '\u0301': "'", '\u0302': "^", '\u0303': "~", '\u0304': "=", '\u0306': "u", '\u0307': ".",
	'\u0308': `"`, '\u030a': "r", '\u030b': "H", '\u030c': "v", '\u0327': "c", '\u0323': "d", '\u0331': "b",
}

// latexText maps characters to commands of the text fonts.
var latexText = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '&': `\&`, '%': `\%`, '$': `\$`, '#': `\#`, '_': `\_`,
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '<': `\textless{}`, '>': `\textgreater{}`,
	'|': `\textbar{}`, '`': `\textasciigrave{}`,
	'[': `{[}`, ']': `{]}`, // a bracket after \\ would be its argument
	'\u00a0': `~`, '–': `--`, '—': `---`, '‘': "`", '’': `'`, '“': "``", '”': `''`, '„': `,,`, '…': `\dots{}`,
	'ß': `\ss{}`, 'æ': `\ae{}`, 'Æ': `\AE{}`, 'œ': `\oe{}`, 'Œ': `\OE{}`, 'ø': `\o{}`, 'Ø': `\O{}`, 'å': `\aa{}`,
	'Å': `\AA{}`, 'ł': `\l{}`, 'Ł': `\L{}`, 'ı': `\i{}`, '¡': "!`", '¿': "?`", '§': `\S{}`, '¶': `\P{}`,
	'©': `\copyright{}`, '£': `\pounds{}`, '\u200c': "", '\u200d': "",
}

// latexMath maps characters to commands of the math fonts.
var latexMath = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`,
	'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`, 'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'µ': `\mu`,
	'ν': `\nu`, 'ξ': `\xi`, 'ο': `o`, 'π': `\pi`, 'ρ': `\rho`, 'ϱ': `\varrho`, 'σ': `\sigma`, 'ς': `\varsigma`,
	'τ': `\tau`, 'υ': `\upsilon`, 'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`,
	'Α': `\mathrm{A}`, 'Β': `\mathrm{B}`, 'Γ': `\Gamma`, 'Δ': `\Delta`, 'Ε': `\mathrm{E}`, 'Ζ': `\mathrm{Z}`,
	'Η': `\mathrm{H}`, 'Θ': `\Theta`, 'Ι': `\mathrm{I}`, 'Κ': `\mathrm{K}`, 'Λ': `\Lambda`, 'Μ': `\mathrm{M}`,
	'Ν': `\mathrm{N}`, 'Ξ': `\Xi`, 'Ο': `\mathrm{O}`, 'Π': `\Pi`, 'Ρ': `\mathrm{P}`, 'Σ': `\Sigma`, 'Τ': `\mathrm{T}`,
	'Υ': `\Upsilon`, 'Φ': `\Phi`, 'Χ': `\mathrm{X}`, 'Ψ': `\Psi`, 'Ω': `\Omega`,
	'×': `\times`, '÷': `\div`, '±': `\pm`, '−': `-`, '·': `\cdot`, '∞': `\infty`, '≤': `\le`, '≥': `\ge`, '≠': `\ne`,
	'≈': `\approx`, '∼': `\sim`, '‖': `\|`, '∥': `\|`, '∇': `\nabla`, '∂': `\partial`, '∑': `\sum`, '∏': `\prod`,
	'√': `\surd`, '∈': `\in`, '∉': `\notin`, '⊂': `\subset`, '⊆': `\subseteq`, '∩': `\cap`, '∪': `\cup`, '∀': `\forall`,
	'∃': `\exists`, '→': `\to`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⟨': `\langle`,
	'⟩': `\rangle`, '⊗': `\otimes`, '⊕': `\oplus`, '†': `\dagger`, '‡': `\ddagger`, '°': `^\circ`, '¬': `\neg`,
	'½': `\frac12`, '¼': `\frac14`, '¾': `\frac34`, 'ℓ': `\ell`, '•': `\bullet`, '✓': `\surd`, '′': `'`, '″': `''`,
	'⁰': `^0`, '¹': `^1`, '²': `^2`, '³': `^3`, '⁴': `^4`, '⁵': `^5`, '⁶': `^6`, '⁷': `^7`, '⁸': `^8`, '⁹': `^9`,
	'⁺': `^+`, '⁻': `^-`, '₀': `_0`, '₁': `_1`, '₂': `_2`, '₃': `_3`, '₄': `_4`, '₅': `_5`, '₆': `_6`, '₇': `_7`,
	'₈': `_8`, '₉': `_9`,
}
