# ruff: noqa: RUF001 the letters of other scripts are meant
"""Words that say nothing about what is looked for.

They stay in the index and leave queries. Only words that are no content words of another
language listed here stand in the list: German `die` would be English `die`, French `pour`
English `pour`. All are spelled as `core.folding.fold` leaves them.
"""

_ENGLISH = """
a an the this that these those
and or but nor so yet if then else than though although because while whereas unless until
of in on at by to from with without within into onto upon about above below between among
through during before after against toward towards across along around behind beside besides
beyond under over off out up down per via as for
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose which what where when why how whether
whatever whichever whoever whenever wherever however
am is are was were be been being do does did doing done have has had having
will would shall should can could may might must ought cannot
not no neither either both each every all any some such same other another others own only
very too also just even still again already ever once here there now more most less least
much many few several quite rather perhaps maybe
dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt cant havent hasnt hadnt
aint mustnt let lets
etc ie eg hence thus therefore thereby whereby wherein therein
someone something anyone anything everyone everything
give gives given tell please
"""

_GERMAN = """
der das den dem des ein eine einer eines einem einen und oder aber nicht ist sind waren
wird werden wurde wurden ich du wir ihr sie es sich mit von vom zu zum zur auf aus bei beim nach
uber unter zwischen fur durch ohne um im ins auch nur noch schon wie wer wo wann warum
welche welcher welches welchen dass daran dies diese dieser dieses diesem diesen kein keine keinen
haben hatte hatten mein meine sein seine seiner ihre ihrer ihren als wenn
"""

_ROMANCE = """
le la les des une du au aux et est sont dans sur avec sans mais ou que qui quoi dont ce cet cette
ces il elle ils elles nous vous je tu lui leur leurs ne pas quel quelle quels quelles etait ete
el los las una uno unos unas y del al en con por para como pero mas es son fue ser lo su sus
cual cuales cuando donde quien
gli di da della dello delle degli dei nel nella nelle che chi non sono era
os das dos em nao um uma ao com
"""

_RUSSIAN = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне
было вот от меня еще нет о из ему теперь когда даже ну ли если или ни быть был него до вас
уж вам ведь там потом себя ей они тут где есть надо ней для мы тебя их чем была сам чтоб без
будто чего раз тоже себе под будет ж тогда кто этот того потому этого какой какая какие какое
каком какои какого какую
ним здесь этом один почти мои чтобы нее были куда зачем всех при об это эта эти
является являются
"""

_GREEK = "ο η το οι τα του τησ των τον την και να σε με για απο που ειναι ποιο ποια ποιοσ τι"

_ARABIC = """
في من الى على عن هو هي ما ماذا متى اين كيف هل التي الذي هذا هذه ذلك كان كانت و او ان لا
"""

STOP_WORDS = frozenset(f"{_ENGLISH} {_GERMAN} {_ROMANCE} {_RUSSIAN} {_GREEK} {_ARABIC}".split())
