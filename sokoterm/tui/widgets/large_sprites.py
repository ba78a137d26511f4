"""The sheets of large sprites, for windows that have room for them: see tiles.py, which reads them."""

LARGE_SHEETS = {
    10: """
#          *          ice        left       $     $-colored down  up    up-push
dddddddddd .KKKKKKKK. iiiiiiiiii ...cccc... .kkkk .kkkk ...cc ...cc ...cc
uuuuuuuuud KHHHHHHHHK iiiiiiiiji ..cccccc.. kBBBB kBBBB ..ccc ..ccc ..ccc
wwwwwwwwwd KHhhhhhhtK iiiiiiijii cccccccc.. kBkbb kBkkk .cccc .cccc s.ccc
wwwwwwwwwd KHhhhhhttK iiiiiijiii .sesssscc. kBbBk kBk11 .sess .cccc scccc
dddddddddd KHthhhtthK ijiiijiiii ..sssss... kBbkB kBk11 ..sss ..ccc p.ccc
uuuuduuuuu KHtthtthhK jiiiiiiiii ..ppppp... kBbkB kBk11 .pppp .pppp ppppp
wwwwdwwwww KHhttthhhK iiiiiiiiij ..psspp... kBbBk kBk11 spppp spppp ..ppp
wwwwdwwwww KHhhthhhhK iiiiiiiiji ..ppppp... kBkbb kBkkk ..ppp ..ppp ..ppp
wwwwdwwwww KhhhhhhhhK iiiiiiijii ..qqqqq... kbbbb kbbbb ..qq. ..qq. ..qq.
wwwwdwwwww .KKKKKKKK. iiiiiiiiii ..kk.kk... .kkkk .kkkk ..kk. ..kk. ..kk.

down-step  up-step    left-step  left-push  .     below !     hinted dead  freezes .-colored *-colored down-push
.pppppppps .pppppppps ..ppppp... sspppppp.. ..... GGG.. R.... ..... ..... ..... ..... ttttt ppppp
sppppppp.. sppppppp.. ..ppsss... sspppppp.. ....g G.... .RRRR ....Y .oo.. ..... .2222 ttttt s.ppp
..pppppp.. ..pppppp.. ..ppppp... ...ppppp.. ..ggG G.... .Rtrr ...YY ..oo. .oooo .2... tteee s.ppp
..qq..qq.. ..qq..qq.. ..qq.qq... ...qqqqq.. ..gGG ..... .Rrtr ..YYY ...oo ..... .2... tte11 ..qq.
..kk...... ..kk...... .kk...kk.. ..kk...kk. .gGG. ..... .Rrrt .YYYY ....o ..... .2... tte11 ..kk.
""",
    12: """
#            *            ice          left         $      $-colored down   up     up-push
dddddddddddd .KKKKKKKKKK. iiiiiiiiiiii ....cccc.... .kkkkk .kkkkk ....cc ....cc ....cc
uuuuuuuuuuud KHHHHHHHHHHK iiiiiiiiiiji ...cccccc... kBBBBB kBBBBB ...ccc ...ccc ...ccc
wwwwwwwwwwwd KHhhhhhhhhHK iiiiiiiiijii .ccccccccc.. kBkbbb kBkkkk ..cccc ..cccc ..cccc
wwwwwwwwwwwd KHhhhhhhttHK iiiiiiiijiii ..sssssscc.. kBbBkk kBk111 ..ssss ..cccc ss.ccc
wwwwwwwwwwwd KHhhhhhtthHK iiiiiiijiiii ..sesssssc.. kBbkBk kBk111 ..sess ..cccc ss.ccc
wwwwwwwwwwwd KHtthhtthhHK ijiiiijiiiii ...ssssss... kBbkkB kBk111 ...sss ...sss pp.sss
dddddddddddd KHhtttthhhHK jiiiiiiiiiii ...pppppp... kBbkkB kBk111 ..pppp ..pppp pppppp
uuuuuduuuuuu KHhhtthhhhHK iiiiiiiiiiij ...pppppp... kBbkBk kBk111 .ppppp .ppppp ..pppp
wwwwwdwwwwww KHhhhhhhhhHK iiiiiiiiiiji ...psspp.... kBbBkk kBk111 .spppp .spppp ...ppp
wwwwwdwwwwww KHhhhhhhhhHK iiiiiiiiijii ...pppppp... kBkbbb kBkkkk ...ppp ...ppp ...ppp
wwwwwdwwwwww KhhhhhhhhhhK iiiiiiiiiiii ...qqqqqq... kbbbbb kbbbbb ...qq. ...qq. ...qq.
wwwwwdwwwwww .KKKKKKKKKK. iiiiiiiiiiii ...kk..kk... .kkkkk .kkkkk ...kk. ...kk. ...kk.

down-step up-step left-step left-push . below ! hinted dead freezes .-colored *-colored down-push
..pppppppp.. ..pppppppp.. ...pppppp... ...pppppp... ...... GGGG.. RR.... ...... ...... ...... ...... tttttt .ppppp
spppppppppp. spppppppppp. ...pppppp... sspppppppp.. ....gg GG.... RRRRRR .....Y .oo... ...... .22222 tttttt pppppp
..pppppppps. ..pppppppps. ...pppss.... ssppppppp... ...gGG G..... .RRrrr ....YY .ooo.. .ooooo .22222 tteeee ss.ppp
...pppppp... ...pppppp... ...pppppp... ....pppppp.. ..gGG. G..... .Rttrr ...YYY ..ooo. .ooooo .22... tte111 ss.ppp
...qq..qq... ...qq..qq... ..qqq.qqq... ....qqqqqq.. .gGG.. ...... .Rrttr ..YYYY ...ooo ...... .22... tte111 ...qq.
...kk....... ...kk....... .kkk...kk... ...kkk...kk. .gG..G ...... .Rrrtt .YYYYY ....oo ...... .22... tte111 ...kk.
""",
    16: """
#                *                ice              left             $        $-colored down     up       up-push
dddddddddddddddd .KKKKKKKKKKKKKK. iiiiiiiiiiiiiiii ......cccc...... .kkkkkkk .kkkkkkk ......cc ......cc ......cc
uuuuuuuuuuuuuuud KHHHHHHHHHHHHHHK iiiiiiiiiiiiiiii ....cccccccc.... kBBBBBBB kBBBBBBB ....cccc ....cccc ....cccc
uwwwwwwwwwwwwwwd KHKHHHHHHHHHHKHK iiiiiiiiiiiiiiji ...cccccccccc... kBkBbbbb kBkBBBBB ...ccccc ...ccccc ...ccccc
wwwwwwwwwwwwwwwd KHhhhhhhhhhhhhHK iiiiiiiiiiiiijii .ccccccccccccc.. kBBkkkkk kBBkkkkk ..cccccc ..cccccc ..cccccc
wwwwwwwwwwwwwwwd KHhhhhhhhhhtthHK iiiiiiiiiiiijiii ...ssssssssscc.. kBbkBbkb kBbk1111 ..ssssss ..cccccc ss.ccccc
wwwwwwwwwwwwwwwd KHhhhhhhhhttthHK iiiiijiiiiijiiii ..ssessssssscc.. kBbkbBbk kBbk1111 ..sssess ..cccccc ss.ccccc
wwwwwwwwwwwwwwwd KHhhhhhhhttthhHK iiiijiiiiijiiiii ..ssessssssssc.. kBbkkbBb kBbk1111 ..sssess ...ccccc pp.ccccc
wwwwwwwwwwwwwwwd KHhtthhhttthhhHK iiijiiiiijiiiiii ...ssssssssss... kBbkbkbB kBbk1111 ...sssss ...sssss pp.sssss
dddddddddddddddd KHhttthttthhhhHK iijiiiiiiiiiiiii .....ssssss..... kBbkbkbB kBbk1111 .....sss .....sss ppp..sss
uuuuuuuduuuuuuuu KHhhttttthhhhhHK iiiiiiiiiiiiiiii ....pppppppp.... kBbkkbBb kBbk1111 ...ppppp ...ppppp .ppppppp
wwwwwwwduwwwwwww KHhhhttthhhhhhHK iiiiiiiiiiiiiiij ....pppppppp.... kBbkbBbk kBbk1111 ..pppppp ..pppppp ..pppppp
wwwwwwwdwwwwwwww KHhhhhthhhhhhhHK iiiiiiiiiiiiiiji ....ppsspppp.... kBbkBbkb kBbk1111 ..pppppp ..pppppp ...ppppp
wwwwwwwdwwwwwwww KHhhhhhhhhhhhhHK iiiiiijiiiiiijii ....ppsspppp.... kBbkkkkk kBbkkkkk ..sspppp ..sspppp ....pppp
wwwwwwwdwwwwwwww KHKhhhhhhhhhhKHK iiiiijiiiiiijiii ....qqqqqqqq.... kBkbbbbb kBkbbbbb ....qqqq ....qqqq ....qqqq
wwwwwwwdwwwwwwww KhhhhhhhhhhhhhhK iiiijiiiiiiiiiii ....qqqqqqqq.... kbbbbbbb kbbbbbbb ....qqq. ....qqq. ....qqq.
wwwwwwwdwwwwwwww .KKKKKKKKKKKKKK. iiiiiiiiiiiiiiii ...kkkk.kkkk.... .kkkkkkk .kkkkkkk ...kkkk. ...kkkk. ...kkkk.

down-step        up-step          left-step        left-push        .        below    !        hinted   dead
.....ssssss..... .....ssssss..... .....ssssss..... .....ssssss..... ........ GGGGG... RR...... ........ ........
...pppppppppp... ...pppppppppp... ....pppppppp.... ....pppppppp.... ........ GGGG.... RRR..... ........ ........
.pppppppppppppp. .pppppppppppppp. ....pppppppp.... ssppppppppppp... ......gg GG...... .RRRRRRR .......Y ..oo....
.sspppppppppppp. .sspppppppppppp. ....ppppppss.... ssppppppppppp... ....ggGG GG...... ..Rrrrrr ......YY ..ooo...
...pppppppppp.ss ...pppppppppp.ss ....ppppppss.... .....pppppppp... ...gGGG. G....... ..Rrttrr .....YYY ...ooo..
....qqqqqqqq.... ....qqqqqqqq.... ....qqqqqqqq.... .....qqqqqqqq... ...gGG.. ........ ..Rrtttr ....YYYY ....ooo.
....qqq..kkkk... ....qqq..kkkk... ...qqqq..qqqq... ....qqqq..qqqq.. ..gGG... ........ ..Rrrttt ...YYYYY .....ooo
...kkkk......... ...kkkk......... ..kkkk....kkkk.. ...kkkk....kkkk. ..gG...G ........ ..Rrrrtt ..YYYYYY ......oo

freezes  .-colored *-colored down-push
........ ........ tttttttt .....sss
........ ........ tttttttt ..pppppp
........ ..222222 tttttttt .ppppppp
..oooooo ..222222 ttteeeee pppppppp
..oooooo ..22.... ttte1111 ss..pppp
........ ..22.... ttte1111 ss..qqqq
........ ..22.... ttte1111 ....qqq.
........ ..22.... ttte1111 ...kkkk.
""",
}
"""By the pixels on a side of a sprite."""
