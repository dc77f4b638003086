extension Tongue {
  static let german = Tongue(
    tales: [
      .bedtime: Tale(
        titles: ["{name} sagt dem Mond Gute Nacht", "Der Mond am Fenster"],
        opening: [
          """
          Das Haus war still geworden, Zimmer für Zimmer. Die Küche schlief, die Treppe schlief, und nur unter \
          dem Dach war eine kleine Lampe noch wach. Im Bett am Fenster, die Decke bis zum Kinn, lag {name} mit \
          weit offenen Augen.
          """,
          """
          Draußen hatte der letzte Vogel aufgehört zu singen, und die Laternen gingen eine nach der anderen an \
          wie eine Reihe kleiner gelber Monde. Oben im Zimmer unter dem Dach saß {name} auf der Bettkante und \
          hörte zu, wie die Nacht kam.
          """,
        ],
        wish: [
          """
          Eines konnte nicht bis morgen warten: dem Mond Gute Nacht zu sagen. Gestern hatte er noch rund und \
          freundlich über dem Schornstein gestanden. „Nur ein kleines Wort“, flüsterte {name}, „dann kann ich \
          schlafen.“
          """
        ],
        trouble: [
          """
          Aber heute war der Himmel zugedeckt. Die Wolken lagen übereinander wie Kissen in einem Schrank, und \
          kein einziger Strahl kam hindurch. Auf dem Fensterbrett saß eine junge Eule, die sich verflogen \
          hatte. „Ohne den Mond finde ich meinen Baum nicht“, sagte sie mit ganz kleiner Stimme.
          """
        ],
        help: [
          """
          Also wanderte die kleine Lampe ans Fenster, und ihr Licht fiel auf den Garten wie ein schmaler Weg. \
          Dann begann {name} leise zu summen, das Lied, das in diesem Zimmer schon immer gesungen wurde. Die \
          Eule drehte den Kopf. Weit weg antwortete eine andere Eule, einmal, zweimal, und nun war der Heimweg \
          sogar im Dunkeln zu hören.
          """
        ],
        end: [
          """
          Die Eule breitete die Flügel aus und war lautlos verschwunden. Im selben Augenblick schoben sich die \
          Wolken ein wenig auseinander, wie ein Vorhang, den jemand mit einem Finger öffnet. Da war der Mond. \
          „Gute Nacht“, sagte {name}, und es sah wirklich so aus, als ob der Mond nickte.
          """
        ]),
      .schoolDay: Tale(
        titles: ["{name} und das fliegende Blatt", "Ein windiger Tag in der Schule"],
        opening: [
          """
          An diesem Morgen roch die Schule nach Kreide, nach nassen Jacken und nach den Äpfeln in dem großen \
          Korb neben der Tür. Die Glocke hatte schon geläutet. In der dritten Reihe, am Fenster, saß {name} mit \
          einem Blatt Papier, das so oft gefaltet worden war, dass es sich weich anfühlte wie Stoff.
          """
        ],
        wish: [
          """
          Auf dem Blatt stand ein Gedicht. Es hatte acht Zeilen, und es hatte eine ganze Woche gedauert. Heute \
          sollte es vorgelesen werden, vor der ganzen Klasse, und nichts auf der Welt war für {name} so wichtig, \
          wie ohne Stolpern bei der letzten Zeile anzukommen.
          """
        ],
        trouble: [
          """
          Da machte jemand das Fenster auf. Ein Windstoß kam herein, sah sich um, nahm das Blatt und ging \
          wieder hinaus. Das Gedicht segelte über den Hof, schlug einen Purzelbaum und blieb hoch oben in der \
          Kastanie hängen. Die ganze Klasse lief hinaus. „Das ist weg“, sagte eine Stimme von hinten.
          """
        ],
        help: [
          """
          „Wir brauchen einen Besen, einen Stuhl und euch alle“, sagte {name}. Einer hielt den Stuhl, zwei \
          hielten den Besen, und das kleinste Kind gab die Kommandos, denn von unten sieht man am besten. Der \
          Ast wackelte, die Blätter rauschten, und das Papier kam langsam herunter, von Hand zu Hand, als wollte \
          es jeden einzeln begrüßen.
          """
        ],
        end: [
          """
          Jetzt hatte es einen grünen Fleck in der Form eines Blattes, und die Klasse beschloss, dass dies die \
          neunte Zeile war. Alle anderen las {name} laut und klar vor, und niemand hustete. Danach wurde das \
          Gedicht an die Wand gehängt, gleich neben das Fenster, das nun fest geschlossen blieb.
          """
        ]),
      .birthday: Tale(
        titles: ["{name} und das Fest, das die Treppe hinunterging", "Ein Stuhl für jeden"],
        opening: [
          """
          Der Tag begann mit einem Duft nach Vanille. An der Lampe hingen Sterne aus Papier, die Torte neigte \
          sich ein wenig zur Seite, und eine Tür musste zu bleiben, bis alle „Jetzt!“ riefen. Hinter dieser Tür \
          stand {name} in Socken und zählte die Sekunden.
          """
        ],
        wish: [
          """
          Geschenke waren gut, und Torte war noch besser. Aber der eigentliche Wunsch an diesem Geburtstag war \
          ein anderer: dass alle um einen Tisch sitzen sollten, die kleinen Vettern, die lauten Onkel und vor \
          allem Großvater, der die schönsten Geschichten wusste.
          """
        ],
        trouble: [
          """
          Um drei Uhr klingelte das Telefon. Es war Großvater, und er stand unten im Flur. Der Aufzug war \
          kaputt, und fünf Stockwerke waren zu viel für seine Knie. „Feiert ihr nur da oben“, sagte er, „ich \
          winke euch von der Straße aus.“ Um die Torte herum wurde es sehr still.
          """
        ],
        help: [
          """
          „Wenn Großvater nicht zum Fest kommen kann“, sagte {name}, „dann kommt das Fest zu Großvater.“ Jeder \
          nahm etwas: die Stühle, den Krug, die Papiersterne, die Limonade. Sogar die schiefe Torte ging die \
          Treppe hinunter, Stufe für Stufe, von vier Leuten bewacht, und kam im Hof zur anderen Seite geneigt an.
          """
        ],
        end: [
          """
          Die Nachbarn hörten das Singen und brachten Tassen und eine Bank. Am Ende gab es zwei Tische und immer \
          noch nicht genug Platz. Großvater erzählte die Geschichte von der Ziege in der Straßenbahn, und als \
          die Kerzen ausgeblasen waren, blieb für {name} nichts mehr zu wünschen übrig.
          """
        ]),
      .weekend: Tale(
        titles: ["{name} und das kleine Boot", "Ein Boot namens Samstag"],
        opening: [
          """
          Der Samstag lag da wie eine Wiese ohne Zaun. Keine Glocke, keine Schultasche, nur ein Stück Holz, ein \
          Knäuel Schnur und ein altes Taschentuch mit blauen Punkten. Als der Brei kalt geworden war, hatte \
          {name} aus alldem ein Boot gemacht.
          """
        ],
        wish: [
          """
          Es war ein gutes Boot mit einem getupften Segel. Nun sollte es den Bach hinunterfahren, vorbei an der \
          Weide und den drei flachen Steinen, bis zur hölzernen Brücke. „Den ganzen Weg und ohne Hilfe“, sagte \
          {name} und setzte es vorsichtig aufs Wasser.
          """
        ],
        trouble: [
          """
          Die erste Biegung ging gut. An der zweiten fing das Boot an sich zu drehen, und zwischen den flachen \
          Steinen steckte es fest. Das Wasser war dort zu niedrig. Am Ufer stand eine Ente mit fünf Küken, und \
          auch die kamen nicht weiter. Sie sahen das Boot an, als wäre es schuld daran.
          """
        ],
        help: [
          """
          Kiesel um Kiesel wuchs eine kleine Mauer quer durch die Strömung, gerade hoch genug, dass das Wasser \
          warten musste. Das dauerte lange, und die Socken wurden nass bis zu den Knien. Dann stieg der Bach \
          eine Handbreit, hob das Boot über die Steine, und die fünf Küken schwammen hinterher, eins nach dem \
          anderen. Am Ufer klatschte {name} in die Hände.
          """
        ],
        end: [
          """
          An der Brücke kamen alle im selben Augenblick an: das Boot, die Enten und, außer Atem vom Laufen, auch \
          {name}. Die kleine Mauer wurde wieder abgetragen, damit der Bach gehen konnte, wohin er wollte. Auf \
          dem Heimweg trocknete das Segel im Abendwind.
          """
        ]),
      .rainyDay: Tale(
        titles: ["{name} und die Straße, die ein See wurde", "Wohin der Regen geht"],
        opening: [
          """
          Seit dem Frühstück regnete es. Der Regen trommelte aufs Dach, er flüsterte in der Rinne, und an der \
          Fensterscheibe liefen die Tropfen um die Wette, ohne dass einer gewann. Mit der Nase am Glas sah \
          {name} zu, wie die Straße von Grau zu Silber wurde.
          """
        ],
        wish: [
          """
          Wohin geht das viele Wasser? Am Tisch hatte niemand eine gute Antwort gewusst. Also wurden die gelben \
          Stiefel geholt und der große Schirm mit der krummen Speiche, denn {name} wollte dem Regen folgen, bis \
          ans Ende.
          """
        ],
        trouble: [
          """
          Die Spur lief am Bordstein entlang, an der Bäckerei vorbei und um die Ecke. Dort hörte sie auf. Das \
          Wasser war ein See geworden, und der See wuchs auf die Tür der alten Frau Linde zu, die mit einem \
          Wischlappen dahinterstand und nicht wusste, wo sie anfangen sollte. „Es kommt schneller, als ich \
          wischen kann!“, rief sie.
          """
        ],
        help: [
          """
          Das Ende des Regens war jetzt leicht zu finden: Es war ein eisernes Gitter, und darauf lag der halbe \
          Herbst an Blättern. Mit einem Rechen und mit beiden Händen zog {name} sie fort, einen Haufen und noch \
          einen Haufen. Auf einmal gluckerte es, tief und zufrieden, und der See begann sich zu drehen und zu \
          sinken.
          """
        ],
        end: [
          """
          Hinter der Tür gab es danach Kakao und ein warmes Handtuch. Frau Linde erzählte von den Rohren unter \
          der Stadt, vom Fluss und vom Meer am Ende von allem. „Dahin geht er also“, sagte {name}, und draußen \
          klang der Regen wie Applaus.
          """
        ]),
      .family: Tale(
        titles: ["{name} und das Bild von allen", "Bitte einmal stillhalten"],
        opening: [
          """
          Am Sonntag kamen sie alle zusammen: die Tanten mit den Kuchenformen, der Onkel mit dem Akkordeon, die \
          Zwillinge, die nie stillsaßen, und das Baby mit dem einen Zahn. Das Haus summte wie ein Bienenstock. \
          Mittendrin, die alte Kamera um den Hals, stand {name}.
          """
        ],
        wish: [
          """
          Über dem Sofa hingen viele Bilder, aber auf jedem fehlte jemand. Heute sollte es endlich eines mit \
          allen geben. Den Platz dafür hatte {name} schon ausgesucht: unter dem Apfelbaum, wo das Licht weich war.
          """
        ],
        trouble: [
          """
          Es war, als wollte man Spatzen fangen. Waren die Zwillinge da, stimmte der Onkel sein Akkordeon. Kam \
          der Onkel, stritten die Tanten über einen Löffel Zucker. Das Baby fing an zu weinen, dann einer der \
          Zwillinge, und eine Wolke schob sich vor die Sonne. „Lassen wir es“, seufzte jemand.
          """
        ],
        help: [
          """
          Statt noch einmal zu rufen, setzte sich {name} ins Gras und sang, ganz leise, das Lied von den sieben \
          Gänsen. In dieser Familie kannte es jeder. Das Akkordeon stimmte ein, dann die Tanten, zweistimmig. \
          Die Zwillinge kamen, um die Gänse zu spielen, und das Baby vergaß die Tränen und schlug mit einem \
          Löffel den Takt.
          """
        ],
        end: [
          """
          Bei der letzten Strophe klickte die Kamera. Das Bild wurde ein bisschen schief, eine Gans hatte sich \
          bewegt, und der Löffel war nur ein heller Strich. Aber niemand fehlte. Jetzt hat es den besten Platz \
          über dem Sofa, und wer es ansieht, fängt an zu summen, genau wie {name}.
          """
        ]),
      .friendship: Tale(
        titles: ["{name} und das Mädchen von nebenan", "Eine Straße aus Kreide"],
        opening: [
          """
          Wochenlang hatte das Haus nebenan leer gestanden. Nun waren da Kartons auf dem Gehweg, ein blaues \
          Fahrrad und ein Käfig mit zwei grünen Vögeln. Auf den Stufen saß ein Mädchen namens Noor. Über die \
          Hecke, zwischen zwei Blättern hindurch, schaute {name}.
          """
        ],
        wish: [
          """
          Es ist nicht leicht, in einer Straße ohne andere Kinder zu spielen. Wie schön wäre jemand zum \
          Hüpfen, für Geheimnisse und für verregnete Nachmittage! „Heute gehe ich einfach hinüber“, sagte \
          {name} und nahm den roten Ball mit, denn mit einem Ball fängt es sich leichter an.
          """
        ],
        trouble: [
          """
          Aber Noor verstand kein Wort. Sie sprach eine andere Sprache, schnell und rund wie Kiesel in einem \
          Bach. Als der Ball zu ihr rollte, hielt sie ihn für ein Geschenk und trug ihn ins Haus. Die Tür ging \
          zu. Draußen stand {name}, ohne Ball und ohne Freundin.
          """
        ],
        help: [
          """
          In einer Hosentasche steckte noch ein Stück Kreide. Auf den Gehweg malte {name} ein Haus, dann noch \
          eines und dazwischen zwei Kinder mit einem Ball. Die Tür öffnete sich einen Spalt. Noor kam heraus, \
          schaute, lachte und nahm die Kreide. Neben die Häuser malte sie die Vögel, ein Meer und ein Schiff, das \
          von weit her kam.
          """
        ],
        end: [
          """
          Am Abend war die ganze Straße voller Bilder. Auf beiden Seiten hatte man sechs Wörter der anderen \
          Sprache gelernt, und das schönste davon hieß „morgen“. Der rote Ball blieb zwischen den beiden Türen \
          liegen, genau in der Mitte, wo Noor ihn ebenso schnell finden würde wie {name}.
          """
        ]),
      .learning: Tale(
        titles: ["{name} und das grüne Fahrrad", "Bis zur Linde"],
        opening: [
          """
          Das Fahrrad war grün, und seine Klingel klang wie ein fröhlicher Frosch. Seit dem Frühling lehnte es an \
          der Wand. Am Morgen waren hinten die beiden kleinen Räder abgeschraubt worden, und nun sah es höher aus \
          als vorher. Dreimal ging {name} darum herum.
          """
        ],
        wish: [
          """
          Am Ende des Weges stand eine Linde. Die Großen fuhren um die Wette dorthin, berührten die Rinde und \
          fuhren zurück. Bis zu diesem Baum zu kommen, ohne eine Hand am Sattel, davon träumte {name} schon die \
          ganze Woche.
          """
        ],
        trouble: [
          """
          Der erste Versuch endete in der Hecke. Der zweite endete im Gras und der dritte neben einer sehr \
          überraschten Katze. Ein Knie brannte, der Lenker war schief, und hinter dem Gartentor kicherte \
          jemand. Ob es vielleicht einfach zu schwer war? Der Baum schien so weit weg wie der Mond.
          """
        ],
        help: [
          """
          Also nicht der ganze Weg auf einmal, sondern nur bis zum Briefkasten. Und danach nur bis zur Bank. \
          Nach vorn schauen, nicht nach unten! Bei jedem Tritt zählte {name} laut mit, fünf, und neun, und \
          vierzehn, und irgendwo hinter zwanzig hörte das Fahrrad auf zu wackeln, als hätte es verstanden.
          """
        ],
        end: [
          """
          Die Rinde der Linde war rau und warm. Mit einer Hand daran blieb {name} eine Weile stehen und lauschte \
          den Bienen. Auf dem Rückweg gab die Froschklingel keine Ruhe, und selbst die Katze ging höflich zur \
          Seite. Das Knie tat schon lange nicht mehr weh.
          """
        ]),
      .helping: Tale(
        titles: ["{name} und die Katze auf dem Dach", "Ein Brett, eine Schale und etwas Zeit"],
        opening: [
          """
          Im Eckhaus wohnten Herr Bruno, der alt war und an zwei Stöcken ging, und seine Katze Minka, die jung \
          war und ging, wo sie wollte. Jeden Nachmittag saßen sie zusammen auf der Bank. Als {name} an diesem Tag \
          vorbeikam, fehlte eine von beiden Gestalten.
          """
        ],
        wish: [
          """
          „Minka ist seit gestern Abend fort“, sagte Herr Bruno und strich über den leeren Platz. Da gab es nicht \
          viel zu überlegen. „Ich finde sie“, sagte {name}, und nichts schien an diesem Nachmittag wichtiger.
          """
        ],
        trouble: [
          """
          Sie war nicht unter der Hecke und nicht im Keller. Endlich kam von oben ein dünner Ton: Auf dem Dach des \
          Schuppens, ganz am Rand, saß Minka und zitterte. Ein Hund hatte sie dort hinaufgejagt. Sie wusste nicht \
          mehr, wie man herunterkommt, und bei jedem Rufen kroch sie noch ein Stück zurück.
          """
        ],
        help: [
          """
          Klettern war verboten, und Rufen machte es nur schlimmer. So wurde ein langes Brett ans Dach gelehnt, \
          eine Schale Milch davorgestellt, und daneben schlug {name} ein Buch auf. Seite um Seite wurde \
          vorgelesen, ganz ruhig, als gäbe es auf der Welt keine Katzen. Nach der vierten Seite standen zwei \
          Pfoten auf dem Brett.
          """
        ],
        end: [
          """
          Minka trank die Milch bis zum letzten Tropfen. Dann ließ sie sich nach Hause tragen und schnurrte wie \
          ein kleiner Motor. Herr Bruno sagte gar nichts, er rückte nur auf der Bank zur Seite. Es war Platz für \
          drei, und {name} blieb, bis der erste Stern herauskam.
          """
        ]),
      .holiday: Tale(
        titles: ["{name} und der Krebs mit einer Schere", "Die Muschel, die das Meer kannte"],
        opening: [
          """
          Hinter dem letzten Hügel war es da, das Meer, größer als auf allen Fotos. Es roch nach Salz und nach \
          Ferne. Kaum waren die Koffer abgestellt, lief {name} barfuß bis genau dorthin, wo der Sand dunkel wird.
          """
        ],
        wish: [
          """
          Zu Hause hatte jemand von Muscheln erzählt, in denen das Meer weiterrauscht, sogar in einem Zimmer, \
          sogar im Winter. So eine sollte gefunden werden, heute noch, bevor die Sonne unterging. Schritt für \
          Schritt suchte {name} den langen Saum aus Schaum ab.
          """
        ],
        trouble: [
          """
          Zwischen den Steinen lag die schönste von allen, gestreift wie ein Bonbon. Doch sobald eine Hand nach \
          ihr griff, lief sie davon. Ein kleiner Krebs mit nur einer Schere wohnte darin! Die Flut hatte ihn in \
          einer Mulde zurückgelassen, und das Wasser darin wurde warm und immer weniger.
          """
        ],
        help: [
          """
          Mit beiden Händen und einer Schaufel grub {name} einen Kanal von der Mulde bis zum Meer. Zweimal \
          rutschte der Sand nach, und zweimal wurde er wieder herausgeholt, noch tiefer. Dann fand die erste Welle \
          den Weg. Der Krebs wartete, hob die Schere, als wollte er winken, und ließ sich hinaustragen.
          """
        ],
        end: [
          """
          Wo der Krebs gesessen hatte, blieb eine andere Muschel liegen, grau, einfach und leer. Sie hatte keinen \
          einzigen Streifen. Aber am Ohr war ein Rauschen darin, leise und ohne Ende. In dem Koffer, mit dem \
          {name} nach Hause kam, reiste sie in einer Socke mit.
          """
        ]),
    ],
    own: Tale(
      titles: ["{name} und „{event}“", "„{event}“, eine Geschichte für {name}"],
      opening: [
        """
        Manche Tage sehen am Anfang aus wie alle anderen. Das Brot steht auf dem Tisch, die Uhr tickt, und \
        irgendwo fällt eine Tür ins Schloss. So ein Morgen war es, und doch wusste {name} sofort, welcher Tag das \
        werden würde: der Tag, der „{event}“ heißt.
        """
      ],
      wish: [
        """
        Alles begann mit einem Gedanken, und der Gedanke ging so: „{seed}“ Mit so einem Gedanken im Kopf kann \
        niemand still sitzen. Also zog {name} die Schuhe an, den linken zuerst, und ging nachsehen, was daraus \
        werden würde. Die Geschichte sollte einen eigenen Ton haben: „{tone}“.
        """
      ],
      trouble: [
        """
        Zuerst ging alles wie von selbst. Aber auf halber Strecke hörte der Weg auf, ganz ohne Schild. Davor lag \
        ein Dickicht aus Fragen, und niemand war zu sehen, der sie hätte beantworten können. Umzukehren wäre \
        leicht gewesen. Auf einem Pfosten legte ein kleiner Vogel den Kopf schief, als wartete er auf eine \
        Entscheidung.
        """
      ],
      help: [
        """
        „Eins nach dem anderen“, sagte {name} zu dem Vogel. Die größte Frage wurde in kleine zerschnitten, und \
        die kleinen machten keine Angst mehr. Eine löste sich durch genaues Hinsehen, eine durch höfliches \
        Fragen und die letzte durch Lachen. Dahinter lag der Weg, so wie vorher.
        """
      ],
      end: [
        """
        Am Abend gab es bei Tisch viel zu erzählen. „{event}“ war ein Tag geworden, an den man sich erinnert, \
        ein wenig anders als geplant, und besser. Der Vogel vom Pfosten saß inzwischen auf dem Fensterbrett, und \
        {name} ließ das Fenster eine Handbreit offen.
        """
      ]),
    keywords: "Im Heft für diesen Tag standen nur ein paar Wörter: {keywords}.",
    hero: [
      "Wer {name} begegnete, merkte schnell: Hier gab es {having}.",
      "Ein Tag mit {name}, das bedeutete {having}.",
      "Wer {having} suchte, war bei {name} genau richtig.",
    ],
    age: "Mit {age} Jahren weiß man schon einiges und staunt noch über alles andere.",
    words: "Die anderen hatten eigene Wörter dafür: {words}.",
    gift: [
      "Und noch etwas gab es, es stand in einer Zeile auf der ersten Seite eines Tagebuchs: „{gift}“.",
      "Außerdem war da eine besondere Gabe, von der nicht alle wussten: „{gift}“.",
      "Auch ein Geheimnis gehörte dazu, und es war kurz: „{gift}“.",
    ],
    turn: [
      """
      Einen Augenblick lang war nur ein Herzklopfen zu hören. Dann holte {name} tief Luft, einmal und noch \
      einmal. Wenn jetzt etwas helfen konnte, dann {trait}.
      """,
      """
      Mit geschlossenen Augen zählte {name} langsam bis drei. Bei eins war da nur die Sorge, bei zwei kam eine \
      Idee, und bei drei war {trait} wieder da, wie eine warme Hand auf der Schulter.
      """,
      """
      Andere hätten jetzt vielleicht aufgegeben. Aber {name} blieb und sah sich die Sache noch einmal \
      von allen Seiten an. Den Unterschied machte am Ende eines: {trait}.
      """,
    ],
    giftTurn: [
      "Und war da nicht jene Zeile, „{gift}“? An einem solchen Tag ist es gut, sich daran zu erinnern.",
      "Wie hieß es noch gleich? „{gift}“. Einen besseren Augenblick dafür konnte es nicht geben.",
      "Leise machte sich auch die geheime Gabe bemerkbar, und alles wurde ein bisschen leichter.",
    ],
    close: [
      """
      Später ging das Licht aus, und die Nacht legte ihre weiche Decke über die Dächer. Alles, was zu tun war, \
      war getan. Schlaf gut, {name}, und schlaft gut, ihr alle, die ihr zugehört habt.
      """,
      """
      Als das Fenster endlich dunkel war, lag auf dem Kissen noch immer ein Lächeln. Morgen würde ein anderer Tag \
      sein. Dieser aber war vollständig, und {name} träumte schon.
      """,
      """
      So ging der Tag zu Ende, langsam, wie ein Blatt, das zu Boden schwebt. Die Sterne übernahmen die Wache. Und \
      {name}? Tief in den Kissen, warm und ohne eine einzige Sorge, bis zum Morgen.
      """,
    ],
    nouns: nouns([
      ("ein gutes Herz", "ein gutes Herz"), ("viel Mut", "der Mut"),
      ("große Neugier", "die Neugier"),
      ("echte Freundlichkeit", "die Freundlichkeit"), ("viel Geduld", "die Geduld"),
      ("feinen Humor", "der Humor"), ("viel Phantasie", "die Phantasie"),
      ("einen wachen Kopf", "ein wacher Kopf"), ("eine ruhige Stimme", "die Ruhe"),
      ("ansteckende Fröhlichkeit", "die Fröhlichkeit"), ("große Ausdauer", "die Ausdauer"),
      ("große Hilfsbereitschaft", "die Hilfsbereitschaft"),
      ("Lust auf Abenteuer", "die Abenteuerlust"),
      ("viel Ehrlichkeit", "die Ehrlichkeit"),
    ]),
    quotes: ("„", "“"), and: " und ")
}
